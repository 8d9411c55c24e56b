import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { withTimeout } from './interrupt.ts';

const never = new AbortController().signal;

test('a fractional number of milliseconds works, too', async () => {
  const signal = withTimeout(never, 0.0023 * 1000);
  assert.equal(signal.aborted, false);
  await once(signal, 'abort');
});

test('what has no time ends when it is interrupted', () => {
  const controller = new AbortController();
  const signal = withTimeout(controller.signal, undefined);
  controller.abort();
  assert.equal(signal.aborted, true);
});
