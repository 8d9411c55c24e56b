import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '#test/fake-clock.ts';
import { createBreaker } from './breaker.ts';
import { SourceError } from './source.ts';

test('a ban holds, whatever the questions come to that were on their way', () => {
  const clock = createFakeClock(0);
  const breaker = createBreaker(clock);
  assert.equal(breaker.fail(new SourceError('limited', 'Too often.', 600_000)), 600_000);
  clock.advance(1000);
  assert.equal(breaker.fail(new SourceError('silent', 'No answer.')), 599_000);
  breaker.succeed();
  assert.ok(breaker.isOpen());
  clock.advance(599_000);
  assert.ok(!breaker.isOpen());
});
