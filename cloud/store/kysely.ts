import { createRequire } from 'node:module';

// Kysely consists of 262 files. Its CommonJS build, which only `require` finds, loads in half the time.
const kysely: typeof import('kysely') = createRequire(import.meta.url)('kysely');

export const { Kysely, PostgresDialect, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } = kysely;
