import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '#test/fake-clock.ts';
import { systemClock } from './clock.ts';

test('the system clock tells the time of the machine in milliseconds', () => {
  const before = Date.now();
  const told = systemClock.now();
  assert.ok(before <= told && told <= Date.now());
});

test('a fake clock moves only when it is advanced', () => {
  const clock = createFakeClock(1000);
  assert.equal(clock.now(), 1000);
  clock.advance(500);
  assert.equal(clock.now(), 1500);
  clock.set(20);
  assert.equal(clock.now(), 20);
});
