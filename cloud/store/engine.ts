import type { Kysely } from 'kysely';
import type { Change } from './changes.ts';
import type { Schema } from './schema.ts';

export type Db = Kysely<Schema>;

/** A database with this schema. `db` reads the last commit; transactions are serializable. */
export type Engine = {
  kind: 'sqlite' | 'postgres';
  db: Db;
  transaction<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** Runs one statement that writes. It conflicts with no other, so that processes can run many of them at once. */
  statement<T>(run: (db: Db) => Promise<T>): Promise<T>;
  /** Runs transactions while no other process can run any here. */
  runExclusively<T>(work: (transaction: Engine['transaction']) => Promise<T>): Promise<T>;
  /** Whether the database cannot be reached or written now, so that the same request may succeed later. */
  isUnavailable(error: unknown): boolean;
  /** Notifies other processes when the transaction commits. Does nothing on SQLite, which has no other processes. */
  announce(db: Db, change: Change): Promise<void>;
  listen(onChange: (change: Change) => void): void;
  close(): Promise<void>;
};

/** At most `limit` items of a list, beginning after the item `after`. */
export type PageRange = { after: string | undefined; limit: number };
