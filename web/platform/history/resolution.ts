import type { Resolution } from '#contract/cloud/telemetry.ts';
import { dayMs, hourMs, minuteMs } from '#contract/time.ts';
import { dateAt, startOfDate } from '#contract/time-zone.ts';
import { addDays } from '../../chart/calendar.ts';

/** How long a bucket is; a day as long as most days are. Readings come every second, and a minute without any is a gap. */
export const widthMs: Record<Resolution, number> = {
  raw: minuteMs,
  '1m': minuteMs,
  '5m': 5 * minuteMs,
  '15m': 15 * minuteMs,
  '1h': hourMs,
  '1d': dayMs,
};

// Import and export within one bucket cancel each other out, so buckets are as short as can be loaded at once.
const finest: [longestMs: number, Resolution][] = [
  [12 * hourMs, '1m'],
  [3 * dayMs, '5m'],
  [40 * dayMs, '15m'],
  [800 * dayMs, '1h'],
];

export const resolutionFor = (lengthMs: number): Resolution =>
  finest.find(([longest]) => lengthMs <= longest)?.[1] ?? '1d';

const longestRawMs = 2 * hourMs;

/** A DER can be seen reading by reading. */
export const derResolutionFor = (lengthMs: number): Resolution =>
  lengthMs <= longestRawMs ? 'raw' : resolutionFor(lengthMs);

/** When a bucket ends; that of a day is one of the calendar. */
export const bucketEnd = (start: number, resolution: Resolution, timeZone?: string): number =>
  resolution === '1d' ? startOfDate(timeZone, addDays(dateAt(timeZone, start), 1)) : start + widthMs[resolution];

/** How often a range that goes on is loaded again. */
export const refreshMs = (resolution: Resolution): number => Math.max(minuteMs, widthMs[resolution] / 5);
