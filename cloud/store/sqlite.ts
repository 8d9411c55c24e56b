import { closeSync, openSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import {
  CompiledQuery,
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
  const writer = new SqliteConnection(file, 'pragma journal_mode = wal; pragma synchronous = full;');
  const reader = new SqliteConnection(file, 'pragma query_only = 1;');
  const writing = new Kysely<Schema>({ dialect: dialectOf(writer, new Turnstile()) });
  const reading = new Kysely<Schema>({ dialect: dialectOf(reader) });
  const transaction: Engine['transaction'] = (work) => writing.transaction().execute(work);
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
      reader.close();
      writer.close();
    },
  };
}

type Statement = { statement: StatementSync; hasRows: boolean };

class SqliteConnection implements DatabaseConnection {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, Statement>();

  constructor(file: string, pragmas: string) {
    this.#database = new DatabaseSync(file, { timeout: 5000 });
    this.#database.exec(`${pragmas} pragma foreign_keys = 1;`);
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.run(query);
  }

  run<Row>({ sql, parameters }: CompiledQuery): QueryResult<Row> {
    const { statement, hasRows } = this.#prepare(sql);
    const values = parameters as SQLInputValue[];
    if (hasRows) return { rows: statement.all(...values) as Row[] };
    const { changes, lastInsertRowid } = statement.run(...values);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }

  async *streamQuery<Row>({ sql, parameters }: CompiledQuery): AsyncGenerator<QueryResult<Row>> {
    for (const row of this.#prepare(sql).statement.iterate(...(parameters as SQLInputValue[])))
      yield { rows: [row as Row] };
  }

  #prepare(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known) return known;
    const prepared = this.#database.prepare(sql);
    const statement = { statement: prepared, hasRows: prepared.columns().length > 0 };
    if (this.#statements.size === mostStatements) this.#statements.delete(this.#statements.keys().next().value!);
    this.#statements.set(sql, statement);
    return statement;
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }
}

/** Lets one through at a time, in order. */
class Turnstile {
  #waiting: (() => void)[] = [];
  #taken = false;

  enter(): Promise<void> | undefined {
    if (this.#taken) return new Promise((resolve) => this.#waiting.push(resolve));
    this.#taken = true;
    return undefined;
  }

  leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#taken = false;
  }
}

function dialectOf(connection: SqliteConnection, turnstile?: Turnstile): Dialect {
  const run = async (sql: string): Promise<void> => {
    await connection.executeQuery(CompiledQuery.raw(sql));
  };
  const driver: Driver = {
    init: async () => {},
    acquireConnection: async () => {
      await turnstile?.enter();
      return connection;
    },
    releaseConnection: async () => turnstile?.leave(),
    // Immediate: a transaction that will write takes the lock at once and never has to start over.
    beginTransaction: () => run('begin immediate'),
    commitTransaction: () => run('commit'),
    rollbackTransaction: () => run('rollback'),
    destroy: async () => {},
  };
  return {
    createDriver: () => driver,
    createAdapter: (): DirectAdapter =>
      Object.assign(new SqliteAdapter(), { run: (query: CompiledQuery) => connection.run(query) }),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}
