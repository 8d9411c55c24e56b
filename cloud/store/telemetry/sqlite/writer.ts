import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { serveCalls } from '../threads.ts';
import { createInsert, type PackedSamples } from './appends.ts';
import { openForWriting } from './database.ts';
import { applyChanges, type TableChange, writeTables } from './tables.ts';

export type WriterOptions = { file: string };

export type Writer = {
  append(batch: PackedSamples): Promise<readonly number[]>;
  /** Applies the changes that a sealer requests on this port. */
  serve(sealer: MessagePort): Promise<void>;
  close(): Promise<void>;
};

export type ChangeWriter = {
  change(changes: readonly TableChange[]): Promise<void>;
  /** Deletes the bodies before this one. */
  trim(seq: number): Promise<void>;
  /** Shrinks the file by this number of free pages. */
  release(pages: number): Promise<void>;
};

const { file }: WriterOptions = workerData;
const database = openForWriting(file);
const tables = writeTables(database);
const insert = createInsert(database);
const trim = database.prepare('delete from bodies where seq < ?');
const begin = database.prepare('begin immediate');
const commit = database.prepare('commit');
const rollback = database.prepare('rollback');

// Work awaits nothing but the database, so no other message is handled between begin and commit.
async function inTransaction<T>(work: () => Promise<T>): Promise<T> {
  begin.run();
  try {
    const result = await work();
    commit.run();
    return result;
  } catch (error) {
    if (database.isTransaction) rollback.run();
    throw error;
  }
}

const changes: ChangeWriter = {
  change: (wanted) => inTransaction(() => applyChanges(tables, wanted)),
  trim: async (seq) => void trim.run(seq),
  release: async (pages) => database.exec(`pragma incremental_vacuum(${pages})`),
};

serveCalls<unknown>(parentPort, {
  append: (batch) => inTransaction(async () => insert(batch, await tables.state('forgotten_before'))),
  serve: async (sealer) => serveCalls(sealer, changes),
  close: async () => database.close(),
} satisfies Writer);
