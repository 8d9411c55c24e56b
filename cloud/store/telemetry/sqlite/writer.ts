import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { answerCalls } from '../calls.ts';
import type { Batch } from './batch.ts';
import { type Change, makeChanges } from './changes.ts';
import { openForWriting } from './database.ts';
import { createInsert } from './insert.ts';
import { writeTables } from './tables.ts';

export type WriterOptions = { file: string };

export type Writer = {
  append(batch: Batch): Promise<readonly number[]>;
  /** Makes the changes that a sealer asks for. */
  serve(sealer: MessagePort): Promise<void>;
  close(): Promise<void>;
};

export type ChangeWriter = {
  change(changes: readonly Change[]): Promise<void>;
  /** Drops the bodies before this one. */
  trim(seq: number): Promise<void>;
  /** Makes the file smaller by so many free pages. */
  release(pages: number): Promise<void>;
};

const { file } = workerData as WriterOptions;
const database = openForWriting(file);
const tables = writeTables(database);
const insert = createInsert(database);
const trim = database.prepare('delete from bodies where seq < ?');
const [begin, commit, rollback] = ['begin immediate', 'commit', 'rollback'].map((sql) => database.prepare(sql));

// Nothing here waits for anything but the database, so no other message comes between begin and commit.
async function inTransaction<T>(work: () => Promise<T>): Promise<T> {
  begin!.run();
  try {
    const result = await work();
    commit!.run();
    return result;
  } catch (error) {
    if (database.isTransaction) rollback!.run();
    throw error;
  }
}

const changes: ChangeWriter = {
  change: (wanted) => inTransaction(() => makeChanges(tables, wanted)),
  trim: async (seq) => void trim.run(seq),
  release: async (pages) => database.exec(`pragma incremental_vacuum(${pages})`),
};

answerCalls(parentPort!, {
  append: (batch) => inTransaction(async () => insert(batch, await tables.state('forgotten_before'))),
  serve: async (sealer) => answerCalls(sealer, changes),
  close: async () => database.close(),
} satisfies Writer);
