import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openServer } from './on-the-wire.ts';
import { openSlow, quickTimes, type Slowness } from './slow-senders.ts';

const count = 400;

test(`${count} connections that are slow hold nobody up, and are ended`, { timeout: 60_000 }, async () => {
  await using server = await openServer();
  const { headersTimeout, requestTimeout } = server.app.server;
  assert.deepEqual({ headersTimeout, requestTimeout }, { headersTimeout: 10_000, requestTimeout: 30_000 });
  const began = performance.now();
  using slow = await openSlow(server.port, count);
  const times = await quickTimes(server.port, 300);
  assert.ok(times[297]! < 200, `the slowest of a hundred took ${times[297]} ms`);

  const kinds: Slowness[] = ['say nothing', 'send a header letter by letter'];
  assert.deepEqual(kinds.map(slow.left), [100, 100]);
  while (kinds.some((kind) => slow.left(kind) > 0) && performance.now() - began < 25_000) await sleep(100);
  assert.deepEqual(kinds.map(slow.left), [0, 0], 'ended after 10 s, looked for every 5 s');
});
