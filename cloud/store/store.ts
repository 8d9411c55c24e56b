import { join } from 'node:path';
import type { Logger } from '#lib/log.ts';
import { retry } from '#lib/retry.ts';
import type { Db, Engine } from './engine.ts';
import { migrate } from './migrate.ts';
import { openPostgres } from './postgres.ts';
import { openSqlite } from './sqlite.ts';

export type Store = Engine & {
  /** A transaction whose after-effects (cutting streams, publishing) happen once it is committed, and only then. */
  write<T>(work: (write: Write) => Promise<T>): Promise<T>;
};

export type Write = { db: Db; afterCommit(effect: () => void): void };

export type StoreOptions = { dataDir: string; databaseUrl?: string | undefined; log: Logger };

export const sqliteFile = (dataDir: string): string => join(dataDir, 'cloud.db');

// About a minute: programs start in any order, and a database takes a while.
const patience = { attempts: 40, minDelayMs: 200, maxDelayMs: 3000 };

function waitFor(engine: Engine, error: unknown, log: Logger): boolean {
  const isPassing = engine.isUnavailable(error);
  if (isPassing) log.warn({ err: error }, 'the database does not answer yet');
  return isPassing;
}

/** Opens the database that the options name and brings its schema up to date. */
export async function openStore({ dataDir, databaseUrl, log }: StoreOptions): Promise<Store> {
  const engine = databaseUrl ? openPostgres(databaseUrl, log) : openSqlite(sqliteFile(dataDir));
  try {
    const applied = await retry(() => migrate(engine), {
      ...patience,
      shouldRetry: (error) => waitFor(engine, error, log),
    });
    if (applied.length > 0) log.info({ applied }, 'database migrated');
  } catch (error) {
    await engine.close();
    throw error;
  }
  return { ...engine, write: (work) => write(engine, work) };
}

async function write<T>(engine: Engine, work: (write: Write) => Promise<T>): Promise<T> {
  let effects: (() => void)[] = [];
  const result = await engine.transaction((db) => {
    effects = [];
    return work({ db, afterCommit: (effect) => effects.push(effect) });
  });
  for (const effect of effects) effect();
  return result;
}
