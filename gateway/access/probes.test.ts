import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createProbes } from './probes.ts';

test('two probes run at once, and a failed one makes room', async () => {
  const done = async () => 'done';
  const probes = createProbes();
  const waiting = Promise.withResolvers<string>();
  const failing = Promise.withResolvers<string>();
  const running = [probes.run(() => waiting.promise), probes.run(() => failing.promise)];
  await assert.rejects(probes.run(done), { code: 'rate_limited', details: { retryAfterSeconds: 1 } });
  failing.reject(new Error('no route'));
  await assert.rejects(running[1]!, /no route/);
  assert.equal(await probes.run(done), 'done');
  waiting.resolve('open');
  assert.equal(await running[0], 'open');
});
