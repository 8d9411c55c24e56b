import { minuteMs } from './time.ts';

/** Whether a reading stands out as old: devices are read every second or few, and what they say is sent at once. */
export const isStaleAt = (atMs: number | undefined, nowMs: number): boolean =>
  atMs === undefined || nowMs - atMs > minuteMs;

/** Whether a reading, stale or not, says anything of now. */
export const tellsOfNow = (atMs: number, nowMs: number): boolean => nowMs - atMs < 5 * minuteMs;

/** A reading that is not older is recent, and counts in the public sums. */
export const recentMs = 15 * minuteMs;
