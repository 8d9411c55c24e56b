/** Returns milliseconds: since 1970, or since the machine started for the monotonic clock. */
export type Clock = { now(): number };

export const systemClock: Clock = { now: () => Date.now() };

/** Counts milliseconds since the machine started. It cannot be set, and all processes see the same value. */
export const monotonicClock: Clock = { now: () => Number(process.hrtime.bigint()) / 1e6 };
