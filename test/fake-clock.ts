import type { Clock } from '#lib/clock.ts';

type FakeClock = Clock & { advance(ms: number): void; set(ms: number): void };

/** A clock that stands still until the test moves it. */
export function createFakeClock(startMs: number): FakeClock {
  let nowMs = startMs;
  return {
    now: () => nowMs,
    advance(ms) {
      nowMs += ms;
    },
    set(ms) {
      nowMs = ms;
    },
  };
}
