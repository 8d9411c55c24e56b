import type { Compilable, CompiledQuery, Dialect, RawBuilder } from 'kysely';
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
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

type Arguments = Record<string, string | number | null>;

/**
 * Compiles a query once for each engine and runs it many times: building and compiling costs more than running it.
 * `build` receives a placeholder for each argument and must not inspect it.
 */
export function prepared<Args extends Arguments, Row>(
  build: (db: Db, args: Args) => Compilable<Row>,
): (db: Db, args: Args) => Promise<Row[]> {
  const placeholders = new Proxy({} as Args, { get: (_, name: string) => new Placeholder(name) });
  let forSqlite: CompiledQuery<Row> | undefined;
  let forPostgres: CompiledQuery<Row> | undefined;
  const fill = ({ parameters }: CompiledQuery, args: Args): unknown[] =>
    parameters.map((value) => (value instanceof Placeholder ? args[value.name] : value));
  return async (db, args) => {
    if (db instanceof SqliteDb) {
      forSqlite ??= build(db, placeholders).compile();
      return db.run<Row>(forSqlite.sql, fill(forSqlite, args)).rows;
    }
    forPostgres ??= build(db, placeholders).compile();
    const { rows } = await db.executeQuery<Row>({ ...forPostgres, parameters: fill(forPostgres, args) });
    return rows;
  };
}

export async function takeFirst<Row>(rows: Promise<Row[]>): Promise<Row | undefined> {
  return (await rows)[0];
}

/** Returns a row that must exist, such as that of an object that was authorized in the same transaction. */
export async function takeFirstOrThrow<Row>(rows: Promise<Row[]>): Promise<Row> {
  const [row] = await rows;
  if (row === undefined) throw new Error('The database has no such row.');
  return row;
}

/** A limit that is an argument: SQLite would compile the statement again for each literal value. */
export const limitArgument = (rows: number): RawBuilder<number> => sql<number>`cast(${rows} as integer)`;
