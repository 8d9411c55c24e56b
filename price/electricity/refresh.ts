import { Problem } from '#contract/problem.ts';
import { dayMs, minuteMs } from '#contract/time.ts';
import type { Clock } from '#lib/clock.ts';
import { every } from '#lib/every.ts';
import type { Logger } from '#lib/log.ts';
import type { Area } from './areas.ts';
import { addDays, dueAt, marketDateAt, type PriceDay } from './market-day.ts';

type RefreshDeps = {
  /** Returns the areas with a stored day at or after this date. */
  areasInUse(since: string): readonly Area[];
  day(area: Area, date: string): Promise<PriceDay | undefined>;
  clock: Clock;
  log: Logger;
};

const lookMs = 60_000;
const pauseMs = 10 * minuteMs;
const jitterMs = 5 * minuteMs;
const spreadMs = 2 * minuteMs; // spreads the requests of many installations

/** Prefetches today and tomorrow for recently used areas, from 11:00 UTC until tomorrow is published. */
export function createRefresh({ areasInUse, day, clock, log }: RefreshDeps) {
  const spread = Math.random() * spreadMs;
  const nextAt = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  async function fetchMissing(area: Area, date: string): Promise<void> {
    const key = `${area.eic} ${date}`;
    const now = clock.now();
    if (now < dueAt(date) + spread || now < (nextAt.get(key) ?? 0)) return;
    nextAt.set(key, now + pauseMs + Math.random() * jitterMs);
    try {
      const found = await day(area, date);
      if (found && found.until === undefined) nextAt.set(key, Number.POSITIVE_INFINITY);
    } catch (error) {
      if (!(error instanceof Problem)) throw error; // source failures are already logged
    }
  }

  async function run(): Promise<void> {
    const now = clock.now();
    const since = new Date(now - 7 * dayMs).toISOString().slice(0, 10);
    for (const area of areasInUse(since)) {
      const today = marketDateAt(area, now);
      for (const date of [today, addDays(today, 1)]) if (!isStopped) await fetchMissing(area, date);
    }
    for (const key of nextAt.keys()) if (key.slice(-10) < since) nextAt.delete(key);
  }

  return {
    run,
    start(): void {
      timer = every(lookMs, run, 'fetching prices', log);
    },
    stop(): void {
      isStopped = true;
      clearInterval(timer);
    },
  };
}
