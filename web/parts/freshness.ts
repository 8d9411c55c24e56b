const staleMs = 60_000; // devices are read every second, and sent at once

/** Whether a value stands out as old. */
export const isStaleAt = (ms: number | undefined, nowMs: number): boolean => ms === undefined || nowMs - ms > staleMs;

const oldMs = 5 * 60_000;

/** Whether a value says anything of now. */
export const tellsOfNow = (ms: number, nowMs: number): boolean => nowMs - ms < oldMs;
