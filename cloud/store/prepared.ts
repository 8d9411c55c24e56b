import type { CompiledQuery, Dialect, RawBuilder } from 'kysely';
import type { Db } from './engine.ts';
import { Kysely, sql } from './kysely.ts';
import type { Schema } from './schema.ts';

/** The part of a query cache that a database uses. */
type ValueCache = { getOrLoad<T>(key: string, load: () => Promise<T>): T | Promise<T> };

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
type RunQuery = <Row>(sql: string, parameters: readonly unknown[]) => { rows: Row[] };

/** A SQLite database. It can run a query synchronously, which skips Kysely's driver and its promises. */
export class SqliteDb extends Kysely<Schema> {
  readonly run: RunQuery;
  /** Set on the connection that reads; transactions bypass the cache. */
  cache: ValueCache | undefined;

  constructor(dialect: Dialect, run: RunQuery, cache?: ValueCache) {
    super({ dialect });
    this.run = run;
    this.cache = cache;
  }
}

/** Stands for an argument while a query is compiled. */
class Placeholder {
  readonly index: number;

  constructor(index: number) {
    this.index = index;
  }
}

/** A query of Kysely, or a raw one. */
type Query<Row> = { compile(db: Db): CompiledQuery<Row> };

type RowsQuery<Args extends readonly unknown[], Row> = (db: Db, ...args: Args) => Promise<Row[]>;

/**
 * Compiles a query once for each engine and runs it many times: building and compiling costs more than running it.
 * `build` receives a placeholder for each argument and must not inspect it.
 */
export function prepared<Args extends readonly unknown[], Row>(
  build: (db: Db, ...args: Args) => Query<Row>,
  argCount = build.length - 1,
): RowsQuery<Args, Row> {
  const placeholders: readonly unknown[] = Array.from({ length: argCount }, (_, index) => new Placeholder(index));
  const compile = (db: Db): CompiledQuery<Row> => build(db, ...(placeholders as Args)).compile(db);
  let forSqlite: CompiledQuery<Row> | undefined;
  let forPostgres: CompiledQuery<Row> | undefined;
  const fill = ({ parameters }: CompiledQuery, args: Args): unknown[] =>
    parameters.map((value) => (value instanceof Placeholder ? args[value.index] : value));
  return async (db, ...args) => {
    if (db instanceof SqliteDb) {
      forSqlite ??= compile(db);
      return db.run<Row>(forSqlite.sql, fill(forSqlite, args)).rows;
    }
    forPostgres ??= compile(db);
    const { rows } = await db.executeQuery<Row>({ ...forPostgres, parameters: fill(forPostgres, args) });
    return rows;
  };
}

/** Returns a query for the first row only. */
export const first =
  <Args extends readonly unknown[], Row>(rows: RowsQuery<Args, Row>) =>
  async (db: Db, ...args: Args): Promise<Row | undefined> =>
    (await rows(db, ...args))[0];

/** A read without a transaction may come here when another request has just deleted the object. */
export class MissingRow extends Error {
  constructor() {
    super('The database has no such row.');
  }
}

/** Returns a query for a row that must exist, such as that of an object that was authorized in the same transaction. */
export const existing =
  <Args extends readonly unknown[], Row>(rows: RowsQuery<Args, Row>) =>
  async (db: Db, ...args: Args): Promise<Row> => {
    const [row] = await rows(db, ...args);
    if (row === undefined) throw new MissingRow();
    return row;
  };

/** A limit that is an argument: SQLite would compile the statement again for each literal value. */
export const limitArgument = (rows: number): RawBuilder<number> => sql<number>`cast(${rows} as integer)`;
