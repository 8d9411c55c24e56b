import type { DatabaseSync } from 'node:sqlite';
import { hourMs, minuteMs } from '#contract/time.ts';
import type { TablePlace } from '../tables.ts';
import { windowOf } from '../windows.ts';

const trimmedAtOnce = 5000;

/** The hours, each with its DER, that have hot rows and start before an instant. */
export function hotHours(database: DatabaseSync, before: number): TablePlace[] {
  const dersOf = database.prepare('select distinct der from samples where minute = ?');
  const hours = new Map<number, Set<number>>();
  for (const minute of hotMinutes(database)) {
    const hour = windowOf(minute * minuteMs, hourMs);
    if (hour >= before) break;
    const ders = hours.get(hour) ?? new Set();
    hours.set(hour, ders);
    for (const { der } of dersOf.all(minute) as { der: number }[]) ders.add(der);
  }
  return [...hours].flatMap(([at, ders]) => Array.from(ders, (der) => ({ der, at })));
}

/** Drops bodies up to the first that a row still names. Those of rows that come meanwhile are after it. */
export async function trimBodies(database: DatabaseSync, drop: (before: number) => Promise<void>): Promise<void> {
  const firstSeq = database.prepare('select min(seq) as seq from samples where minute = ?');
  const { first, next } = database.prepare('select min(seq) as first, max(seq) + 1 as next from bodies').get() as {
    first: number | null;
    next: number | null;
  };
  if (first === null || next === null) return;
  let needed = next;
  for (const minute of hotMinutes(database)) {
    const { seq } = firstSeq.get(minute) as { seq: number | null };
    needed = Math.min(needed, seq ?? needed);
  }
  for (let done = first; done < needed; ) {
    done = Math.min(done + trimmedAtOnce, needed);
    await drop(done);
  }
}

function* hotMinutes(database: DatabaseSync): Generator<number> {
  const next = database.prepare('select min(minute) as minute from samples where minute > ?');
  for (let last = -1; ; ) {
    const { minute } = next.get(last) as { minute: number | null };
    if (minute === null) return;
    yield minute;
    last = minute;
  }
}
