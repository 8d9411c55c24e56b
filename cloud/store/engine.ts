import type { Kysely } from 'kysely';
import type { Change } from './changes.ts';
import type { Schema } from './schema.ts';

export type Db = Kysely<Schema>;

/** A database with this schema: reads of the last commit, and transactions that are one after another in effect. */
export type Engine = {
  kind: 'sqlite' | 'postgres';
  db: Db;
  transaction<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** Transactions while no other process is in here. */
  exclusively<T>(work: (transaction: Engine['transaction']) => Promise<T>): Promise<T>;
  /** The database cannot be reached or cannot write now; the same request may succeed later. */
  isUnavailable(error: unknown): boolean;
  /** Tells other processes, with the transaction; SQLite has none to tell. */
  announce(db: Db, change: Change): Promise<void>;
  /** Hears what other processes announce. */
  listen(hear: (change: Change) => void): void;
  close(): Promise<void>;
};
