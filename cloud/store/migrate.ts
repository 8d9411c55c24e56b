import { DatabaseTooNew } from '#lib/database-too-new.ts';
import type { Db, Engine } from './engine.ts';
import { sql } from './kysely.ts';
import { migrations } from './migrations/index.ts';

/** Brings the database up to this program's schema, one transaction a step; a killed run is taken up where it ended. */
export async function migrate(engine: Engine): Promise<string[]> {
  const applied: string[] = [];
  await engine.exclusively(async (transaction) => {
    while (await transaction((db) => step(db, applied)));
  });
  return applied;
}

async function step(db: Db, applied: string[]): Promise<boolean> {
  await sql`create table if not exists migrations (name text primary key)`.execute(db);
  const { rows } = await sql<{ name: string }>`select name from migrations`.execute(db);
  const done = new Set(rows.map(({ name }) => name));
  const unknown = [...done].filter((name) => !migrations.some((migration) => migration.name === name));
  if (unknown.length > 0) {
    throw new DatabaseTooNew(
      `The database was written by a newer Ohmstead (${unknown.join(', ')}). Start that version, or restore a backup.`,
    );
  }
  const next = migrations.find(({ name }) => !done.has(name));
  if (!next) return false;
  await next.up(db);
  await sql`insert into migrations (name) values (${next.name})`.execute(db);
  applied.push(next.name);
  return true;
}
