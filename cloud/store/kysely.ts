import { createRequire } from 'node:module';
import type { Db } from './engine.ts';

// Kysely consists of 262 files. Its CommonJS build, which only `require` finds, loads in half the time.
const kysely: typeof import('kysely') = createRequire(import.meta.url)('kysely');

export const { Kysely, PostgresDialect, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } = kysely;

/** Runs statements that are the same on both engines, separated by semicolons. */
export async function runStatements(db: Db, statements: string): Promise<void> {
  for (const statement of statements.split(';')) await sql.raw(statement).execute(db);
}
