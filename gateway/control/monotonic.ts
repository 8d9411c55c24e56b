import type { Clock } from '#lib/clock.ts';

/** Milliseconds since the machine started: nobody sets this clock, and all processes see the same. */
export const systemMonotonic: Clock = { now: () => Number(process.hrtime.bigint()) / 1e6 };
