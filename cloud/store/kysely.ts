import { createRequire } from 'node:module';

// It comes as 262 files. Those in CommonJS, which only a require finds, are loaded in half the time.
const kysely = createRequire(import.meta.url)('kysely') as typeof import('kysely');

export const { Kysely, PostgresDialect, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } = kysely;
