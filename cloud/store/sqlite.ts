import { closeSync, openSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { constants, DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { CompiledQuery, DatabaseConnection, Dialect, Driver, QueryResult } from 'kysely';
import { RecentMap } from '#lib/recent-map.ts';
import { isSqliteError, openUndamaged } from './damage.ts';
import type { Engine } from './engine.ts';
import { groupCommit, type TransactionConnection } from './group-commit.ts';
import { SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from './kysely.ts';
import { SqliteDb } from './prepared.ts';
import { QueryCache } from './query-cache.ts';
import { prepareArrays, type Statement } from './sqlite-statements.ts';

const maxStatements = 500;

// SQLITE_BUSY, SQLITE_IOERR, SQLITE_FULL; extended codes keep the primary code in the low byte
const transientCodes = new Set([5, 10, 13]);

/** Opens a file with a writer, for one transaction at a time, and a reader that sees the last commit without waiting. */
export function openSqlite(file: string): Engine {
  closeSync(openSync(file, 'a', 0o600)); // it holds keys; the files beside it take its mode
  // synchronous = normal: SQLite syncs before a checkpoint, and groupCommit syncs after each commit.
  const writer = openUndamaged(
    file,
    () => new SqliteConnection(file, 'pragma journal_mode = wal; pragma synchronous = normal;'),
  );
  const reader = new SqliteConnection(file, 'pragma query_only = 1;');
  const cache = new QueryCache(() => writer.externalVersion());
  writer.onWritten = (writes) => cache.onWritten(writes);
  reader.onRead = (reads, rows) => cache.onRead(reads, rows);
  const writing = dbOn(writer);
  const reading = dbOn(reader, cache);
  const { transaction, close: closeTransactions } = groupCommit(writing, writer);
  return {
    kind: 'sqlite',
    db: reading,
    transaction,
    statement: transaction,
    runExclusively: (work) => work(transaction), // each transaction has the file to itself
    isUnavailable: (error) => isSqliteError(error) && transientCodes.has(error.errcode & 0xff),
    announce: async () => {},
    listen: () => {},
    close: async () => {
      await closeTransactions();
      await reading.destroy();
      await writing.destroy();
      await reader.close();
      await writer.close();
    },
  };
}

type Prepared = { statement: Statement<unknown[]>; columns: string[] } & StatementColumns;

class SqliteConnection implements DatabaseConnection, TransactionConnection {
  readonly #database: DatabaseSync;
  readonly #statements = new RecentMap<Prepared>(maxStatements);
  readonly #file: string;
  readonly #watch: ReturnType<typeof watchStatements>;
  #wal: FileHandle | undefined;
  #written = new Set<string>(); // in the open transaction

  onRead: (reads: StatementColumns['reads'], rows: number) => void = () => {};
  /** Called with the columns a transaction wrote, as soon as others can see them. */
  onWritten: (writes: StatementColumns['writes']) => void = () => {};

  constructor(file: string, pragmas: string) {
    this.#file = file;
    this.#database = new DatabaseSync(file, { timeout: 5000 });
    this.#database.exec(`${pragmas} pragma foreign_keys = 1;`);
    this.#watch = watchStatements(this.#database);
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.run(query.sql, query.parameters);
  }

  run<Row>(sql: string, parameters: readonly unknown[]): QueryResult<Row> {
    const { statement, columns, reads, writes } = this.#prepare(sql);
    const values = parameters as SQLInputValue[];
    if (columns.length > 0) {
      const rows = statement.all(...values);
      this.#addWritten(writes, rows.length);
      this.onRead(reads, rows.length);
      return { rows: toObjects<Row>(columns, rows) };
    }
    const { changes, lastInsertRowid } = statement.run(...values);
    this.#addWritten(writes, Number(changes));
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }

  #addWritten(writes: StatementColumns['writes'], rows: number): void {
    if (rows > 0) for (const column of writes) this.#written.add(column);
  }

  streamQuery(): never {
    throw new Error('SQLite queries are not streamed.');
  }

  #prepare(sql: string): Prepared {
    return this.#statements.getOrCreate(sql, () => {
      const { prepared, ...columns } = this.#watch(() => prepareArrays<unknown[]>(this.#database, sql));
      return { statement: prepared, columns: prepared.columns().map(({ name }) => name), ...columns };
    });
  }

  exec(sql: string): void {
    try {
      this.#prepare(sql).statement.run();
    } finally {
      if (!this.isInTransaction) {
        this.onWritten(this.#written);
        this.#written = new Set();
      }
    }
  }

  /** Returns a number that changes when another process has committed. */
  externalVersion(): number | undefined {
    return this.run<{ data_version: number }>('pragma data_version', []).rows[0]?.data_version;
  }

  async sync(): Promise<void> {
    this.#wal ??= await open(`${this.#file}-wal`, 'r');
    await this.#wal.datasync();
  }

  get isInTransaction(): boolean {
    return this.#database.isTransaction;
  }

  async close(): Promise<void> {
    this.#statements.clear();
    this.#database.close();
    await this.#wal?.close();
  }
}

/** Makes objects of rows that are arrays: the driver's own objects are dictionaries, which are several times slower. */
function toObjects<Row>(columns: readonly string[], rows: readonly unknown[][]): Row[] {
  return rows.map((values) => {
    const row: Record<string, unknown> = {};
    let i = 0;
    for (const column of columns) row[column] = values[i++];
    return row as Row;
  });
}

function dbOn(connection: SqliteConnection, cache?: QueryCache): SqliteDb {
  const refuse = (): Promise<never> => Promise.reject(new Error('Use the transactions of the engine.'));
  const driver: Driver = {
    init: async () => {},
    acquireConnection: async () => connection,
    releaseConnection: async () => {},
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
    destroy: async () => {},
  };
  const dialect: Dialect = {
    createDriver: () => driver,
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
  return new SqliteDb(dialect, (sql, parameters) => connection.run(sql, parameters), cache);
}

/**
 * The columns that a statement reads and writes, as `table.column`. `table` alone stands for its set of rows: every
 * read of the table reads it, and a statement that adds or removes rows writes it.
 */
export type StatementColumns = { reads: ReadonlySet<string>; writes: ReadonlySet<string> };

/** Asks SQLite's authorizer, which is called for each column while a statement is prepared, foreign keys included. */
export function watchStatements(database: DatabaseSync): <T>(prepare: () => T) => { prepared: T } & StatementColumns {
  let reads = new Set<string>();
  let writes = new Set<string>();
  database.setAuthorizer((action, table, column) => {
    if (action === constants.SQLITE_READ) reads.add(`${table}`).add(`${table}.${column}`);
    else if (action === constants.SQLITE_UPDATE) writes.add(`${table}.${column}`);
    else if (action === constants.SQLITE_INSERT || action === constants.SQLITE_DELETE) writes.add(`${table}`);
    return constants.SQLITE_OK;
  });
  return (prepare) => {
    reads = new Set();
    writes = new Set();
    const columns = { reads, writes };
    return { prepared: prepare(), ...columns };
  };
}
