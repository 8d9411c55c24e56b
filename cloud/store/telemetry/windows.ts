import { dayMs, minuteMs } from '#contract/time.ts';

export const fiveMinutesMs = 5 * minuteMs;
export const monthMs = 30 * dayMs; // the span of a chunk of hours; no calendar

/** The start of the window (counted from the epoch, UTC) that an instant lies in. */
export const windowOf = (at: number, windowMs: number): number => Math.floor(at / windowMs) * windowMs;
