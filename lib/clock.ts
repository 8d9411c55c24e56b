/** Milliseconds since the epoch; of the monotonic clock, since the machine started. */
export type Clock = { now(): number };

export const systemClock: Clock = { now: () => Date.now() };

/** Milliseconds since the machine started: nobody sets this clock, and all processes see the same. */
export const monotonicClock: Clock = { now: () => Number(process.hrtime.bigint()) / 1e6 };
