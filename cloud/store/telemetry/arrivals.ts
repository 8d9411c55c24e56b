import { dayMs } from '#contract/time.ts';
import type { Clock } from '#lib/clock.ts';

/** How far receive times may be ahead of the clock after it was set back. */
export const maxAheadMs = dayMs;

/**
 * Returns strictly increasing receive times (µs), even when the clock is set back a little. When it is set back by more
 * than a day they follow it, because otherwise they would stay ahead of it for as long.
 */
export function createReceivedTimes(clock: Clock): () => number {
  let last = 0;
  return () => {
    const now = clock.now() * 1000;
    last = last > now + maxAheadMs * 1000 ? now : Math.max(last + 1, now);
    return last;
  };
}
