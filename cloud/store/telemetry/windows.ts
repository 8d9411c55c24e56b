export const minuteMs = 60_000;
export const fiveMinutesMs = 5 * minuteMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
export const monthMs = 30 * dayMs; // the span of a chunk of hours; no calendar

/** The start of the window (counted from the epoch, UTC) that an instant lies in. */
export const windowOf = (at: number, windowMs: number): number => Math.floor(at / windowMs) * windowMs;
