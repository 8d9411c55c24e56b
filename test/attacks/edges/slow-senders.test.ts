import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { until } from '../../until.ts';
import { openServer, say } from './on-the-wire.ts';
import { openSlow, quickTimes, type Slowness } from './slow-senders.ts';

const count = 400;
const graceMs = 15_000;

/** When slow senders are disconnected. */
const endedMs: Partial<Record<Slowness, number>> = {
  'say nothing': 10_000,
  'send a header letter by letter': 10_000,
  'send a body byte by byte': 30_000,
};

test(`${count} slow connections delay nobody, and are closed`, { timeout: 60_000 }, async () => {
  await using server = await openServer();
  const { headersTimeout, requestTimeout } = server.app.server;
  assert.deepEqual({ headersTimeout, requestTimeout }, { headersTimeout: 10_000, requestTimeout: 30_000 });
  const began = performance.now();
  using slow = await openSlow(server.port, count);
  const times = await quickTimes(server.port, 300);
  assert.ok(times[297]! < 200, `the slowest of a hundred took ${times[297]} ms`);

  assert.deepEqual(
    Object.keys(endedMs).map((kind) => slow.left(kind as Slowness)),
    [100, 100, 100],
  );
  for (const [kind, ms] of Object.entries(endedMs)) {
    while (slow.left(kind as Slowness) > 0 && performance.now() - began < ms + graceMs) await sleep(100);
    assert.equal(slow.left(kind as Slowness), 0, `those that ${kind} are closed after ${ms} ms, checked every 5 s`);
  }
});

test('an answer that is not read is abandoned after two minutes', { timeout: 60_000 }, async () => {
  await using server = await openServer();
  assert.equal(server.app.server.timeout, 120_000);
  server.app.server.timeout = 1000;
  const connections = promisify(server.app.server.getConnections.bind(server.app.server));
  const readers = await Promise.all(
    Array.from({ length: 10 }, () => say(server.port, 'GET /more HTTP/1.1\r\nHost: x\r\n\r\n')),
  );
  for (const reader of readers) reader.pause();
  await until(connections, (count) => count === 10);
  await until(connections, (count) => count === 0);
  for (const reader of readers) reader.destroy();
});
