import { sql } from 'kysely';
import type { Db, Engine } from './engine.ts';
import { migrations } from './migrations/index.ts';

export class DatabaseTooNew extends Error {}

// Any number, the same in every process: one migrates, the others wait for it.
const migrationLock = 7_260_211;

/** Brings the database up to this program's schema, one transaction a step; a killed run is taken up where it ended. */
export async function migrate(engine: Engine): Promise<string[]> {
  const applied: string[] = [];
  while (await engine.transaction((db) => step(db, engine.kind, applied)));
  return applied;
}

async function step(db: Db, kind: Engine['kind'], applied: string[]): Promise<boolean> {
  if (kind === 'postgres') await sql`select pg_advisory_xact_lock(${migrationLock})`.execute(db);
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
