import type { Compilable, CompiledQuery, DialectAdapter, RawBuilder } from 'kysely';
import type { Db } from './engine.ts';
import { sql } from './kysely.ts';

/** Stands for an argument while a query is compiled. */
class Slot {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

type Arguments = Record<string, string | number | null>;

/** An adapter whose database answers at once, so that a query needs none of the way through Kysely's driver. */
export type DirectAdapter = DialectAdapter & { run(sql: string, parameters: readonly unknown[]): { rows: unknown[] } };

const isDirect = (adapter: DialectAdapter): adapter is DirectAdapter => 'run' in adapter;

/**
 * A query compiled once for each engine and run many times: building and compiling costs more than running it.
 * `build` receives a stand-in for each argument and must not look at it.
 */
export function prepared<Args extends Arguments, Row>(
  build: (db: Db, args: Args) => Compilable<Row>,
): (db: Db, args: Args) => Promise<Row[]> {
  const slots = new Proxy({} as Args, { get: (_, name: string) => new Slot(name) });
  const compiled = new WeakMap<DialectAdapter, CompiledQuery>();
  return async (db, args) => {
    const { adapter } = db.getExecutor();
    let query = compiled.get(adapter);
    if (!query) {
      query = build(db, slots).compile();
      compiled.set(adapter, query);
    }
    const parameters = query.parameters.map((value) => (value instanceof Slot ? args[value.name]! : value));
    const { rows } = isDirect(adapter)
      ? adapter.run(query.sql, parameters)
      : await db.executeQuery<Row>({ ...query, parameters });
    return rows as Row[];
  };
}

/** A limit that is an argument: SQLite compiles a statement anew for each value of a bare one. */
export const atMost = (rows: number): RawBuilder<number> => sql<number>`cast(${rows} as integer)`;
