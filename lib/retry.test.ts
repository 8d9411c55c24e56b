import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startStopwatch } from '#test/stopwatch.ts';
import { retry } from './retry.ts';

const patient = { attempts: 4, minDelayMs: 1, maxDelayMs: 3, shouldRetry: () => true };

function failing(times: number): { calls: () => number; fn: () => Promise<string> } {
  let calls = 0;
  return {
    calls: () => calls,
    fn: async () => {
      if (++calls <= times) throw new Error(`failure ${calls}`);
      return 'done';
    },
  };
}

test('a call that recovers returns its result', async () => {
  const work = failing(3);
  assert.equal(await retry(work.fn, patient), 'done');
  assert.equal(work.calls(), 4);
});

test('the last error is thrown when the attempts are used up', async () => {
  const work = failing(9);
  await assert.rejects(retry(work.fn, patient), { message: 'failure 4' });
});

test('an error that is not worth retrying is thrown at once', async () => {
  const work = failing(1);
  await assert.rejects(retry(work.fn, { ...patient, shouldRetry: () => false }), { message: 'failure 1' });
  assert.equal(work.calls(), 1);
});

test('the delay doubles up to its maximum, with full jitter', async (t) => {
  const waited: number[] = [];
  let lastMs = performance.now();
  t.mock.method(Math, 'random', () => 1);
  const fn = async (): Promise<never> => {
    waited.push(performance.now() - lastMs);
    lastMs = performance.now();
    throw new Error('down');
  };
  await assert.rejects(retry(fn, { ...patient, minDelayMs: 20, maxDelayMs: 40 }));
  const [, first = 0, second = 0, third = 0] = waited;
  assert.ok(first >= 18 && second >= 38 && third >= 38, `waited ${waited.join()}`); // timers may fire a millisecond early

  t.mock.method(Math, 'random', () => 0);
  const stopwatch = startStopwatch();
  await assert.rejects(retry(fn, { ...patient, minDelayMs: 5000, maxDelayMs: 5000 }));
  assert.ok(stopwatch.ms() < 1000);
});

test('an abort ends the wait', async () => {
  const work = failing(9);
  const aborting = AbortSignal.timeout(20);
  const waiting = retry(work.fn, { ...patient, attempts: 99, minDelayMs: 9e6, maxDelayMs: 9e6, signal: aborting });
  await assert.rejects(waiting, { name: 'AbortError' });
  assert.equal(work.calls(), 1);
});

test('nothing is tried after an abort', async () => {
  const work = failing(0);
  await assert.rejects(retry(work.fn, { ...patient, signal: AbortSignal.abort() }), { name: 'AbortError' });
  assert.equal(work.calls(), 0);
});
