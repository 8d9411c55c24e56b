import type { DatabaseSync } from 'node:sqlite';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { hourMs, minuteMs } from '#contract/time.ts';
import { onlyRow, prepare } from '../../sqlite-statements.ts';
import { windowStart } from '../levels.ts';
import { nothingSealed } from '../sealing.ts';
import { createSealDue, eraseDer, forgetBefore, raiseFloor, type Sealer, type Transact } from '../sealing-run.ts';
import type { DerTime } from '../tables.ts';
import type { Retention, SealReport } from '../telemetry-store.ts';
import { Caller, serveCalls } from '../threads.ts';
import { openForReading } from './database.ts';
import { recordingTables, type TableChange } from './tables.ts';
import type { ChangeWriter } from './writer.ts';

export type SealerOptions = { file: string; retention: Retention; writer: MessagePort };

const { file, retention, writer: port }: SealerOptions = workerData;
const writer = new Caller<ChangeWriter>(port);
port.on('close', () => {
  throw new Error('The writer thread has ended.'); // ends this thread too; the next call starts both
});
const database = openForReading(file);
const sealDue = createSealDue();
let changes: TableChange[] = [];
const tables = recordingTables(database, (change) => changes.push(change));

/** Runs work on a snapshot for as long as it takes; the writer thread only applies the changes. */
const transact: Transact = async (work) => {
  changes = [];
  database.exec('begin');
  const result = await work(tables).finally(() => database.exec('commit'));
  if (changes.length > 0) await writer.call('change', [changes]);
  return result;
};

async function seal(now: number): Promise<SealReport> {
  const { isDone: _, ...report } = await sealDue(
    { transact, hotHours: async (before) => hotHours(database, before) },
    now,
  );
  if (report.chunks > 0) await freeSpace();
  return report;
}

/** Deletes the bodies of sealed rows, and shrinks the file. */
async function freeSpace(): Promise<void> {
  await trimBodies(database, (seq) => writer.call('trim', [seq]));
  await releaseFreePages(database, (pages) => writer.call('release', [pages]));
}

async function forget(now: number): Promise<number> {
  const floor = await transact((tables) => raiseFloor(tables, now, retention));
  await forgetBefore(transact, floor, retention);
  return floor.rawFloor;
}

async function erase(ders: readonly number[]): Promise<boolean> {
  for (const der of ders) await eraseDer(transact, der);
  await freeSpace();
  return true;
}

const underWay = new Set<Promise<unknown>>();

/** Returns `interrupted` when the database is closed between two transactions. */
async function untilClosed<T>(work: Promise<T>, interrupted: T): Promise<T> {
  underWay.add(work);
  try {
    return await work;
  } catch (error) {
    if (database.isOpen) throw error;
    return interrupted;
  } finally {
    underWay.delete(work);
  }
}

serveCalls<unknown>(parentPort, {
  seal: (now) => untilClosed(seal(now), nothingSealed),
  forget: (now) => untilClosed(forget(now), undefined),
  erase: (ders) => untilClosed(erase(ders), false),
  close: async () => {
    database.close();
    await Promise.allSettled(underWay);
  },
} satisfies Sealer);

const keptShare = 1 / 32; // of all pages, for the next writes, so that the file need not grow
const maxReleasedPages = 128; // per step, which blocks the writer for a few ms

/** Returns free pages to the file system, a few at a time. */
async function releaseFreePages(database: DatabaseSync, release: (pages: number) => Promise<void>): Promise<void> {
  const counts = prepare<{ pages: number; free: number }>(
    database,
    'select page_count as pages, freelist_count as free from pragma_page_count, pragma_freelist_count',
  );
  for (let before = Number.POSITIVE_INFINITY; ; ) {
    const { pages, free } = onlyRow(counts);
    const excess = Math.floor(free - pages * keptShare);
    if (excess <= 0 || free >= before) return;
    before = free;
    await release(Math.min(excess, maxReleasedPages));
  }
}

const maxTrimmedBodies = 5000; // per step

/** Lists the hours of each DER that have hot rows and start before a time. */
function hotHours(database: DatabaseSync, before: number): DerTime[] {
  const dersOf = prepare<{ der: number }>(database, 'select distinct der from samples where minute = ?');
  const hours = new Map<number, Set<number>>();
  for (const minute of hotMinutes(database)) {
    const hour = windowStart(minute * minuteMs, hourMs);
    if (hour >= before) break;
    const ders = hours.get(hour) ?? new Set();
    hours.set(hour, ders);
    for (const { der } of dersOf.all(minute)) ders.add(der);
  }
  return [...hours].flatMap(([at, ders]) => Array.from(ders, (der) => ({ der, at })));
}

/** Deletes bodies up to the first that a row still refers to. Bodies of new rows come after it. */
async function trimBodies(database: DatabaseSync, drop: (before: number) => Promise<void>): Promise<void> {
  const firstSeq = prepare<{ seq: number | null }>(database, 'select min(seq) as seq from samples where minute = ?');
  const bodies = 'select min(seq) as first, max(seq) + 1 as next from bodies';
  const { first, next } = onlyRow(prepare<{ first: number | null; next: number | null }>(database, bodies));
  if (first === null || next === null) return;
  let needed = next;
  for (const minute of hotMinutes(database)) {
    const { seq } = onlyRow(firstSeq, minute);
    needed = Math.min(needed, seq ?? needed);
  }
  for (let done = first; done < needed; ) {
    done = Math.min(done + maxTrimmedBodies, needed);
    await drop(done);
  }
}

function* hotMinutes(database: DatabaseSync): Generator<number> {
  const next = prepare<{ minute: number | null }>(
    database,
    'select min(minute) as minute from samples where minute > ?',
  );
  for (let last = -1; ; ) {
    const { minute } = onlyRow(next, last);
    if (minute === null) return;
    yield minute;
    last = minute;
  }
}
