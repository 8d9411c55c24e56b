import { dayMs, hourMs, minuteMs } from '#contract/time.ts';
import { type Tier, tiers } from './tables.ts';
import type { Retention } from './telemetry-store.ts';
import { fiveMinutesMs, monthMs } from './windows.ts';

/** Windows of one length that are kept beside the readings, and how long a time a chunk of them spans. */
export type Level = { windowMs: number; tier: Tier; spanMs: number; keptFor: keyof Retention };

/** Made from the readings of a day when they are asked for, and kept from when these are forgotten. */
export const minutesLevel: Level = { windowMs: minuteMs, tier: tiers.minutes, spanMs: dayMs, keptFor: 'minutesMs' };

const hoursLevel: Level = { windowMs: hourMs, tier: tiers.hours, spanMs: monthMs, keptFor: 'hoursMs' };

/** Those that are kept from the start, the widest first. */
export const sealedLevels: readonly Level[] = [
  hoursLevel,
  // What a day is looked at in: a fifth of the minutes to read.
  { windowMs: fiveMinutesMs, tier: tiers.fives, spanMs: dayMs, keptFor: 'minutesMs' },
];

/** The one with the fewest windows that these edges do not cut. */
export const levelFor = (edges: readonly number[]): Level =>
  sealedLevels.find(({ windowMs }) => edges.every((edge) => edge % windowMs === 0)) ?? minutesLevel;

const shortestDayMs = 20 * hourMs; // clocks are put on by less

/**
 * What stands in for windows that are forgotten: for days that begin within an hour (India's do) hours, which are kept
 * longer. An hour then belongs to the day in which it starts.
 */
export const standInFor = (level: Level, edges: readonly number[]): Level | undefined =>
  level !== hoursLevel && edges.every((edge, i) => i === 0 || edge - edges[i - 1]! >= shortestDayMs)
    ? hoursLevel
    : undefined;
