import type { EnergyResolution } from '#contract/cloud/energy.ts';
import { bucketMs, type Resolution } from '#contract/cloud/telemetry.ts';
import { dayMs, hourMs, minuteMs } from '#contract/time.ts';
import { dateAt, startOfDate } from '#contract/time-zone.ts';
import { addDays } from '../../chart/calendar.ts';

// Import and export within one bucket cancel out, so buckets are as short as one request allows.
const finest: [longestMs: number, Resolution][] = [
  [12 * hourMs, '1m'],
  [3 * dayMs, '5m'],
  [40 * dayMs, '15m'],
  [800 * dayMs, '1h'],
];

export const resolutionFor = (lengthMs: number): Resolution =>
  finest.find(([longest]) => lengthMs <= longest)?.[1] ?? '1d';

const maxRawMs = 2 * hourMs;

/** Returns the resolution for a single DER, raw for short ranges. */
export const derResolutionFor = (lengthMs: number): Resolution =>
  lengthMs <= maxRawMs ? 'raw' : resolutionFor(lengthMs);

/** Returns the end of a bucket; day buckets follow the calendar. */
export const bucketEnd = (start: number, resolution: Resolution, timeZone?: string): number =>
  resolution === '1d' ? startOfDate(timeZone, addDays(dateAt(timeZone, start), 1)) : start + bucketMs[resolution];

/** Returns how often to reload a range that has not ended. */
export const refreshMs = (resolution: Resolution): number => Math.max(minuteMs, bucketMs[resolution] / 5);

const longestBars: [longestMs: number, EnergyResolution][] = [
  [6 * hourMs, '15m'],
  [3 * dayMs, '1h'],
  [62 * dayMs, '1d'],
  [1200 * dayMs, '1mo'],
];

/** Returns the finest resolution at which bars of energy are readable. */
export const energyResolutionFor = (lengthMs: number): EnergyResolution =>
  longestBars.find(([longest]) => lengthMs <= longest)?.[1] ?? '1y';
