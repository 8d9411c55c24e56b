import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayMs, hourMs } from '#contract/time.ts';
import { createReceivedTimes } from './arrivals.ts';

const now = Date.UTC(2026, 4, 4, 12);

test('receive times increase even within a millisecond and after the clock is set back a little', () => {
  const clock = { now: () => now + hourMs };
  const next = createReceivedTimes(clock);
  const ahead = [next(), next()];
  clock.now = () => now;
  assert.deepEqual(
    [...ahead, next()],
    [0, 1, 2].map((i) => (now + hourMs) * 1000 + i),
  );
  clock.now = () => now + 2 * hourMs;
  assert.equal(next(), (now + 2 * hourMs) * 1000);
});

test('receive times follow a clock that was days ahead and is corrected', () => {
  const clock = { now: () => now + 2 * dayMs };
  const next = createReceivedTimes(clock);
  next();
  clock.now = () => now;
  assert.deepEqual([next(), next()], [now * 1000, now * 1000 + 1]);
});
