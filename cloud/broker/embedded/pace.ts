const burstMs = 1000;

/** When the next message of a client is due if it keeps exactly to its rate. */
export type Pace = { dueAt: number };

/** How long a message has to wait, in ms, for its sender to keep to the rate; a second's worth may come at once. */
export function waitFor(pace: Pace, weight: number, perSecond: number): number {
  const now = performance.now(); // a clock that is set back must not hold anybody up
  pace.dueAt = dueAfter(pace, weight, perSecond, now);
  return Math.max(0, pace.dueAt - now - burstMs);
}

/** Counts a message that need not wait; one that has to is not counted yet. */
export function keepsPace(pace: Pace, weight: number, perSecond: number, now: number): boolean {
  const dueAt = dueAfter(pace, weight, perSecond, now);
  if (dueAt - now > burstMs) return false;
  pace.dueAt = dueAt;
  return true;
}

const dueAfter = ({ dueAt }: Pace, weight: number, perSecond: number, now: number): number =>
  Math.max(dueAt, now) + (weight * 1000) / perSecond;
