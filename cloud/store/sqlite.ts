import { closeSync, openSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { CompiledQuery, DatabaseConnection, Dialect, Driver, QueryResult } from 'kysely';
import { openUndamaged } from './damage.ts';
import type { Engine } from './engine.ts';
import { groupCommit, type Line } from './group-commit.ts';
import { Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from './kysely.ts';
import type { DirectAdapter } from './prepared.ts';
import { Memory, type RememberingAdapter } from './remembered.ts';
import type { Schema } from './schema.ts';
import { type Touched, watchPreparing } from './touched.ts';

const mostStatements = 500;

// SQLITE_BUSY, SQLITE_IOERR, SQLITE_FULL; their extended codes keep them in the low byte
const passing = new Set([5, 10, 13]);

/**
 * One file, two connections: a writer that is one transaction at a time, and a reader that sees the last commit
 * and never waits for the writer.
 */
export function openSqlite(file: string): Engine {
  closeSync(openSync(file, 'a', 0o600)); // it holds keys; the files beside it take the mode of this one
  // Normal: SQLite syncs before it moves what was committed into the file; that each commit is synced is seen to by groupCommit.
  const writer = openUndamaged(
    file,
    () => new SqliteConnection(file, 'pragma journal_mode = wal; pragma synchronous = normal;'),
  );
  const reader = new SqliteConnection(file, 'pragma query_only = 1;');
  const writing = new Kysely<Schema>({ dialect: dialectOf(writer) });
  const memory = new Memory(() => writer.versionOfOthers());
  writer.onWritten = (writes) => memory.written(writes);
  reader.onRead = (reads, rows) => memory.read(reads, rows);
  const reading = new Kysely<Schema>({ dialect: dialectOf(reader, memory) });
  const transaction = groupCommit(writing, writer);
  return {
    kind: 'sqlite',
    db: reading,
    transaction,
    exclusively: (work) => work(transaction), // each transaction has the file to itself
    isUnavailable: (error) => passing.has(((error as { errcode?: number }).errcode ?? 0) & 0xff),
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

type Statement = { statement: StatementSync; columns: string[] } & Touched;

class SqliteConnection implements DatabaseConnection, Line {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, Statement>();
  readonly #file: string;
  readonly #watch: ReturnType<typeof watchPreparing>;
  #log: FileHandle | undefined; // where commits lie until they are moved into the file
  #written = new Set<string>(); // in the transaction that is open

  onRead: (reads: Touched['reads'], rows: number) => void = () => {};
  /** Hears what a transaction wrote as soon as others can see it. */
  onWritten: (writes: Touched['writes']) => void = () => {};

  constructor(file: string, pragmas: string) {
    this.#file = file;
    this.#database = new DatabaseSync(file, { timeout: 5000 });
    this.#database.exec(`${pragmas} pragma foreign_keys = 1;`);
    this.#watch = watchPreparing(this.#database);
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.run(query.sql, query.parameters);
  }

  run<Row>(sql: string, parameters: readonly unknown[]): QueryResult<Row> {
    const { statement, columns, reads, writes } = this.#prepare(sql);
    const values = parameters as SQLInputValue[];
    if (columns.length > 0) {
      const found = statement.all(...values) as unknown as unknown[][];
      this.#note(writes, found.length);
      this.onRead(reads, found.length);
      return { rows: rowsOf(columns, found) as Row[] };
    }
    const { changes, lastInsertRowid } = statement.run(...values);
    this.#note(writes, Number(changes));
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }

  #note(writes: Touched['writes'], rows: number): void {
    if (rows > 0) for (const each of writes) this.#written.add(each);
  }

  async *streamQuery<Row>({ sql, parameters }: CompiledQuery): AsyncGenerator<QueryResult<Row>> {
    const { statement, columns, reads, writes } = this.#prepare(sql);
    this.onRead(reads, 0);
    for (const row of statement.iterate(...(parameters as SQLInputValue[]))) {
      this.#note(writes, 1);
      yield { rows: rowsOf(columns, [row as unknown as unknown[]]) as Row[] };
    }
  }

  #prepare(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known) return known;
    const { prepared, reads, writes } = this.#watch(() => this.#database.prepare(sql));
    prepared.setReturnArrays(true);
    const statement = { statement: prepared, columns: prepared.columns().map(({ name }) => name), reads, writes };
    if (this.#statements.size === mostStatements) this.#statements.delete(this.#statements.keys().next().value!);
    this.#statements.set(sql, statement);
    return statement;
  }

  exec(sql: string): void {
    try {
      this.#prepare(sql).statement.run();
    } finally {
      if (!this.isInTransaction) this.#tellWritten();
    }
  }

  #tellWritten(): void {
    const written = this.#written;
    this.#written = new Set();
    this.onWritten(written);
  }

  /** Moves when another process has committed. */
  versionOfOthers(): number {
    const [version] = this.#prepare('pragma data_version').statement.get() as unknown as [number];
    return version;
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

function dialectOf(connection: SqliteConnection, memory?: Memory): Dialect {
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
    createAdapter: (): DirectAdapter | (DirectAdapter & RememberingAdapter) =>
      Object.assign(new SqliteAdapter(), {
        run: (sql: string, parameters: readonly unknown[]) => connection.run(sql, parameters),
        ...(memory && { memory }),
      }),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}
