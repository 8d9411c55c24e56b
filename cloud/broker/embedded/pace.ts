const burstMs = 1000;

/** When the next message of a client is due if it keeps exactly to its rate. */
export type Pace = { dueAt: number };

/** How long a message has to wait, in ms, for its sender to keep to the rate; a second's worth may come at once. */
export function waitFor(pace: Pace, weight: number, perSecond: number): number {
  const now = performance.now(); // a clock that is set back must not hold anybody up
  pace.dueAt = Math.max(pace.dueAt, now) + (weight * 1000) / perSecond;
  return Math.max(0, pace.dueAt - now - burstMs);
}
