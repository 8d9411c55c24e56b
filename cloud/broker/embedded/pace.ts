import type { Owner } from './connection.ts';

const burstMs = 1000;

/** How long a message has to wait, in ms, for its sender to keep to the rate; a second's worth may be sent at once. */
export function waitFor(owner: Owner, weight: number, perSecond: number): number {
  const now = performance.now(); // monotonic: setting the clock back must not hold up a sender
  owner.dueAt = dueAfter(owner, weight, perSecond, now);
  return Math.max(0, owner.dueAt - now - burstMs);
}

/** Counts a message that need not wait; one that has to wait is not counted yet. */
export function keepsPace(owner: Owner, weight: number, perSecond: number, now: number): boolean {
  const dueAt = dueAfter(owner, weight, perSecond, now);
  if (dueAt - now > burstMs) return false;
  owner.dueAt = dueAt;
  return true;
}

const dueAfter = ({ dueAt }: Owner, weight: number, perSecond: number, now: number): number =>
  Math.max(dueAt, now) + (weight * 1000) / perSecond;
