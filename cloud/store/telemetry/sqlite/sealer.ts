import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { answerCalls, Caller } from '../calls.ts';
import { nothingSealed } from '../sealing.ts';
import { createSealDue, eraseDer, forgetOld, type Transact } from '../sealing-run.ts';
import type { Retention, SealReport } from '../telemetry-store.ts';
import { type Change, notingTables } from './changes.ts';
import { openForReading } from './database.ts';
import { releaseFreePages } from './free-pages.ts';
import { hotHours, trimBodies } from './hot-log.ts';
import type { ChangeWriter } from './writer.ts';

export type SealerOptions = { file: string; retention: Retention; writer: MessagePort };

export type Sealer = {
  seal(now: number): Promise<SealReport>;
  /** Before which instant everything is forgotten; undefined when it was cut off. */
  forget(now: number): Promise<number | undefined>;
  /** Deletes everything that is kept of these DERs; false when it was cut off. */
  erase(ders: readonly number[]): Promise<boolean>;
  close(): Promise<void>;
};

const { file, retention, writer: port } = workerData as SealerOptions;
const writer = new Caller<ChangeWriter>(port);
port.on('close', () => {
  throw new Error('The thread that writes is gone.'); // so is this one: the next has a way to the next
});
const database = openForReading(file);
const sealDue = createSealDue();
let changes: Change[] = [];
const tables = notingTables(database, (change) => changes.push(change));

/** Reads one moment and thinks for as long as it takes; the writer is only asked for what is to change. */
const transact: Transact = async (work) => {
  changes = [];
  database.exec('begin');
  const result = await work(tables).finally(() => database.exec('commit'));
  if (changes.length > 0) await writer.call('change', [changes]);
  return result;
};

async function seal(now: number): Promise<SealReport> {
  const report = await sealDue({ transact, hotHours: async (before) => hotHours(database, before) }, now);
  if (report.chunks > 0) await freeSpace();
  return report;
}

/** Deletes the bodies of readings that are no longer hot, and makes the file smaller. */
async function freeSpace(): Promise<void> {
  await trimBodies(database, (seq) => writer.call('trim', [seq]));
  await releaseFreePages(database, (pages) => writer.call('release', [pages]));
}

async function erase(ders: readonly number[]): Promise<boolean> {
  for (const der of ders) await eraseDer(transact, der);
  await freeSpace();
  return true;
}

const underWay = new Set<Promise<unknown>>();

/** Closing cuts it off between two transactions, which is no fault. */
async function untilClosed<T>(work: Promise<T>, cutOff: T): Promise<T> {
  underWay.add(work);
  try {
    return await work;
  } catch (error) {
    if (database.isOpen) throw error;
    return cutOff;
  } finally {
    underWay.delete(work);
  }
}

answerCalls(parentPort!, {
  seal: (now) => untilClosed(seal(now), nothingSealed),
  forget: (now) => untilClosed(forgetOld(transact, now, retention), undefined),
  erase: (ders) => untilClosed(erase(ders), false),
  close: async () => {
    database.close();
    await Promise.allSettled(underWay);
  },
} satisfies Sealer);
