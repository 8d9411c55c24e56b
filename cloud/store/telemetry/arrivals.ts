import { dayMs } from '#contract/time.ts';
import type { Clock } from '#lib/clock.ts';

/** How far arrivals may be ahead of the clock, after it was set back. */
export const furthestAheadMs = dayMs;

/**
 * The moments (µs) at which readings arrive: each is after the one before, also when the clock was set back a little. When it was
 * set back by more than a day they follow it, or they would be ahead of it for as long.
 */
export function createArrivals(clock: Clock): () => number {
  let last = 0;
  return () => {
    const now = clock.now() * 1000;
    last = last > now + furthestAheadMs * 1000 ? now : Math.max(last + 1, now);
    return last;
  };
}
