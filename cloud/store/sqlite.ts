import { closeSync, openSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { Engine } from './engine.ts';
import { groupCommit, type Line } from './group-commit.ts';
import type { DirectAdapter } from './prepared.ts';
import type { Schema } from './schema.ts';

const mostStatements = 500;

// SQLITE_BUSY, SQLITE_IOERR, SQLITE_FULL
const passing = new Set([5, 10, 13]);

/**
 * One file, two connections: a writer that is one transaction at a time, and a reader that sees the last commit
 * and never waits for the writer.
 */
export function openSqlite(file: string): Engine {
  closeSync(openSync(file, 'a', 0o600)); // it holds keys; the files beside it take the mode of this one
  // Normal: SQLite syncs before it moves what was committed into the file; that each commit is synced is seen to by groupCommit.
  const writer = new SqliteConnection(file, 'pragma journal_mode = wal; pragma synchronous = normal;');
  const reader = new SqliteConnection(file, 'pragma query_only = 1;');
  const writing = new Kysely<Schema>({ dialect: dialectOf(writer) });
  const reading = new Kysely<Schema>({ dialect: dialectOf(reader) });
  const transaction = groupCommit(writing, writer);
  return {
    kind: 'sqlite',
    db: reading,
    transaction,
    exclusively: (work) => work(transaction), // each transaction has the file to itself
    isUnavailable: (error) => passing.has((error as { errcode?: number }).errcode ?? 0),
    announce: async () => {},
    listen: () => {},
    close: async () => {
      await reading.destroy();
      await writing.destroy();
      await reader.close();
      await writer.close();
    },
  };
}

type Statement = { statement: StatementSync; columns: string[] };

class SqliteConnection implements DatabaseConnection, Line {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, Statement>();
  readonly #file: string;
  #log: FileHandle | undefined; // where commits lie until they are moved into the file

  constructor(file: string, pragmas: string) {
    this.#file = file;
    this.#database = new DatabaseSync(file, { timeout: 5000 });
    this.#database.exec(`${pragmas} pragma foreign_keys = 1;`);
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.run(query.sql, query.parameters);
  }

  run<Row>(sql: string, parameters: readonly unknown[]): QueryResult<Row> {
    const { statement, columns } = this.#prepare(sql);
    const values = parameters as SQLInputValue[];
    if (columns.length > 0)
      return { rows: rowsOf(columns, statement.all(...values) as unknown as unknown[][]) as Row[] };
    const { changes, lastInsertRowid } = statement.run(...values);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }

  async *streamQuery<Row>({ sql, parameters }: CompiledQuery): AsyncGenerator<QueryResult<Row>> {
    const { statement, columns } = this.#prepare(sql);
    for (const row of statement.iterate(...(parameters as SQLInputValue[])))
      yield { rows: rowsOf(columns, [row as unknown as unknown[]]) as Row[] };
  }

  #prepare(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known) return known;
    const prepared = this.#database.prepare(sql);
    prepared.setReturnArrays(true);
    const statement = { statement: prepared, columns: prepared.columns().map(({ name }) => name) };
    if (this.#statements.size === mostStatements) this.#statements.delete(this.#statements.keys().next().value!);
    this.#statements.set(sql, statement);
    return statement;
  }

  exec(sql: string): void {
    this.#prepare(sql).statement.run();
  }

  async synced(): Promise<void> {
    this.#log ??= await open(`${this.#file}-wal`, 'r');
    await this.#log.datasync();
  }

  get isInTransaction(): boolean {
    return this.#database.isTransaction;
  }

  async close(): Promise<void> {
    this.#statements.clear();
    this.#database.close();
    await this.#log?.close();
  }
}

/** The driver's own objects are dictionaries, which cost several times as much to make and to read. */
function rowsOf(columns: readonly string[], rows: readonly unknown[][]): Record<string, unknown>[] {
  return rows.map((values) => {
    const row: Record<string, unknown> = {};
    for (let i = 0; i < columns.length; i++) row[columns[i]!] = values[i];
    return row;
  });
}

function dialectOf(connection: SqliteConnection): Dialect {
  const begunElsewhere = (): Promise<never> => Promise.reject(new Error('Transactions are made by the engine.'));
  const driver: Driver = {
    init: async () => {},
    acquireConnection: async () => connection,
    releaseConnection: async () => {},
    beginTransaction: begunElsewhere,
    commitTransaction: begunElsewhere,
    rollbackTransaction: begunElsewhere,
    destroy: async () => {},
  };
  return {
    createDriver: () => driver,
    createAdapter: (): DirectAdapter =>
      Object.assign(new SqliteAdapter(), {
        run: (sql: string, parameters: readonly unknown[]) => connection.run(sql, parameters),
      }),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}
