import type { Db } from './engine.ts';

/** Of a database that may be of another version, or empty. */
export async function tableNames(db: Db): Promise<ReadonlySet<string>> {
  const tables = await db.introspection.getTables();
  return new Set(tables.map(({ name }) => name));
}
