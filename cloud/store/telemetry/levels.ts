import { dayMs, hourMs, minuteMs } from '#contract/time.ts';
import { type Tier, tiers } from './tables.ts';
import type { Retention } from './telemetry-store.ts';

const fiveMinutesMs = 5 * minuteMs;
export const monthMs = 30 * dayMs; // the span of a chunk of hourly rollups, not a calendar month

/** Returns the start of the window, counted from the epoch, that contains an instant. */
export const windowStart = (at: number, windowMs: number): number => Math.floor(at / windowMs) * windowMs;

/** Rollups over windows of one length, and the time that one chunk of them spans. */
export type RollupLevel = { windowMs: number; tier: Tier; spanMs: number; keptFor: keyof Retention };

/** One-minute rollups are computed from the readings of a day on request, and stored when these are deleted. */
export const minuteRollups: RollupLevel = {
  windowMs: minuteMs,
  tier: tiers.oneMinute,
  spanMs: dayMs,
  keptFor: 'minutesMs',
};

const hourRollups: RollupLevel = { windowMs: hourMs, tier: tiers.hourly, spanMs: monthMs, keptFor: 'hoursMs' };

/** The rollups that are stored when an hour is sealed, the coarsest first. */
export const sealedRollups: readonly RollupLevel[] = [
  hourRollups,
  // A chart of one day shows five-minute rollups; they are a fifth of the one-minute rollups.
  { windowMs: fiveMinutesMs, tier: tiers.fiveMinute, spanMs: dayMs, keptFor: 'minutesMs' },
];

/** Returns the coarsest rollups whose windows these edges do not cut. */
export const coarsestRollup = (edges: readonly number[]): RollupLevel =>
  sealedRollups.find(({ windowMs }) => edges.every((edge) => edge % windowMs === 0)) ?? minuteRollups;

const shortestDayMs = 20 * hourMs; // a change to summer time takes less than four hours

/**
 * Returns the rollups to use where finer ones have been deleted: hourly ones for days that begin within an hour (in
 * India, for example). An hour then counts to the day in which it starts.
 */
export const fallbackRollup = (level: RollupLevel, edges: readonly number[]): RollupLevel | undefined =>
  level !== hourRollups && edges.every((edge, i) => edge - (edges[i - 1] ?? 0) >= shortestDayMs)
    ? hourRollups
    : undefined;
