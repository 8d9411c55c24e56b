import { join } from 'node:path';
import type { Clock } from '#lib/clock.ts';
import type { Logger } from '#lib/log.ts';
import { retry } from '#lib/retry.ts';
import type { Change } from './changes.ts';
import type { Db, Engine } from './engine.ts';
import { migrate } from './migrate.ts';
import { openSqlite } from './sqlite.ts';

export type Store = Omit<Engine, 'announce' | 'listen'> & {
  /** Runs a transaction; its after-effects (ending streams, publishing) run once it is committed, and only then. */
  write<T>(work: (write: Write) => Promise<T>): Promise<T>;
  /** Adds a listener. `write` awaits it for changes of this process; those of others follow shortly after their commit. */
  onChange(listener: (change: Change) => void | Promise<void>): void;
};

export type Write = {
  db: Db;
  afterCommit(effect: () => void): void;
  /** Notifies everything that caches the registry, in every process. */
  announce(change: Change): Promise<void>;
};

export type StoreOptions = {
  dataDir: string;
  databaseUrl?: string | undefined;
  log: Logger;
  /** called once when the database does not answer yet; without it, this is logged */
  onWait?: () => void;
};

/** The dependencies of most parts of the platform. */
export type CommonDeps = { store: Store; clock: Clock; log: Logger };

export const sqliteFile = (dataDir: string): string => join(dataDir, 'cloud.db');

// About a minute: programs start in any order, and a database takes time to start.
const retries = { attempts: 40, minDelayMs: 200, maxDelayMs: 3000 };

/** Opens the database that the options name and brings its schema up to date. */
export async function openStore({ dataDir, databaseUrl, log, onWait }: StoreOptions): Promise<Store> {
  const engine = databaseUrl
    ? (await import('./postgres.ts')).openPostgres(databaseUrl, log) // loads the driver only where it is used
    : openSqlite(sqliteFile(dataDir));
  try {
    let isWaiting = false;
    const shouldRetry = (error: unknown): boolean => {
      if (!engine.isUnavailable(error)) return false;
      if (!isWaiting && onWait) onWait();
      else if (!isWaiting) log.warn({ err: error }, 'the database does not answer yet');
      isWaiting = true;
      return true;
    };
    const applied = await retry(() => migrate(engine), { ...retries, shouldRetry });
    if (applied.length > 0) log.info({ applied }, 'database migrated');
  } catch (error) {
    await engine.close();
    throw error;
  }
  const listeners: ((change: Change) => void | Promise<void>)[] = [];
  const notifyAll = async (change: Change): Promise<void> => {
    await Promise.all(listeners.map(async (listener) => listener(change)));
  };
  engine.listen((change) => void notifyAll(change));
  return {
    ...engine,
    write: (work) => write(engine, work, notifyAll),
    onChange: (listener) => listeners.push(listener),
  };
}

async function write<T>(
  engine: Engine,
  work: (write: Write) => Promise<T>,
  notifyAll: (change: Change) => Promise<void>,
): Promise<T> {
  let effects: (() => void)[] = [];
  let changes: Change[] = [];
  const result = await engine.transaction((db) => {
    effects = [];
    changes = [];
    const afterCommit: Write['afterCommit'] = (effect) => effects.push(effect);
    const announce: Write['announce'] = async (change) => {
      await engine.announce(db, change);
      changes.push(change);
    };
    return work({ db, afterCommit, announce });
  });
  for (const effect of effects) effect();
  await Promise.all(changes.map(notifyAll));
  return result;
}
