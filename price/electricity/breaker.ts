import { minuteMs } from '#contract/time.ts';
import type { Clock } from '#lib/clock.ts';
import { SourceError } from './source.ts';

/** Keeps from asking a source that fails. */
export type Breaker = {
  isOpen(): boolean;
  succeed(): void;
  /** How long it is left alone from now on, ms; 0 when it may be asked again at once. */
  fail(error: unknown): number;
};

const failuresBefore = 3;
const shortestMs = 60_000;
const longestMs = 15 * minuteMs;

/** Opens after three failures in a row, for longer each time; at once when the source says not to come back soon. */
export function createBreaker(clock: Clock): Breaker {
  let failures = 0;
  let closedAt = 0;
  return {
    isOpen: () => clock.now() < closedAt,
    succeed() {
      failures = 0;
    },
    fail(error) {
      failures += 1;
      const now = clock.now();
      closedAt = Math.max(closedAt, now + pauseAfter(error, failures)); // a ban outlasts what fails after it
      return closedAt - now;
    },
  };
}

function pauseAfter(error: unknown, failures: number): number {
  if (error instanceof SourceError && error.kind === 'limited') return error.retryAfterMs ?? longestMs;
  if (error instanceof SourceError && error.kind === 'refused') return longestMs;
  return failures < failuresBefore ? 0 : Math.min(shortestMs * 2 ** (failures - failuresBefore), longestMs);
}
