import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { createLog } from '#lib/log.ts';
import { isPoison } from '../store/telemetry/faults.ts';
import type { Sample, TelemetryStore } from '../store/telemetry/telemetry-store.ts';
import type { TelemetryRoute } from '../store/telemetry-routes.ts';
import { createIngestCounts } from './counts.ts';
import { createIngest } from './ingest.ts';
import { createLatest } from './latest.ts';
import { createLive } from './live.ts';

const place = { serial: 'ohm-1', device: 'M-1', der: 'meter' };
const route = { no: 7, der_id: 'der-1', site_id: 'sit-1', gateway_serial: place.serial } as TelemetryRoute;
const now = Date.parse('2026-06-01T12:00:00Z');
const bodyOf = (W: number): Buffer => Buffer.from(JSON.stringify({ timestamp: now - 60_000 + W, W, seq: W }));

/** An ingest for one DER, into a store that does what the test says. */
function open(append: (samples: readonly Sample[]) => Promise<void>) {
  const heard: unknown[] = [];
  const acknowledged: string[] = [];
  const counts = createIngestCounts(new Registry());
  const telemetry = { append } as TelemetryStore;
  const ingest = createIngest({
    telemetry,
    routing: { find: () => route, forget: () => {} },
    latest: createLatest(telemetry, { isShared: false }),
    live: createLive(),
    transport: { publish: (_, payload) => void acknowledged.push(payload), hasSubscribers: false },
    heard: (_, at, values) => void heard.push({ at, values }),
    counts,
    clock: { now: () => now },
    log: createLog({ level: 'silent', name: 'test' }),
    isPoison,
  });
  return { send: (W: number) => ingest.telemetry(place, bodyOf(W)), heard, acknowledged, counts };
}

test('what waits while a batch is stored is stored together, and answered by one promise', async () => {
  const batches: number[] = [];
  const { send, heard } = open(async (samples) => {
    batches.push(samples.length);
    await delay(20);
  });
  const first = send(1);
  const [second, third] = [send(2), send(3)];
  assert.notEqual(first, second);
  assert.equal(second, third);
  await third;
  assert.deepEqual(batches, [1, 2]);
  const newest = { timestamp: now - 60_000 + 3, W: 3, seq: 3 };
  assert.deepEqual(heard.at(-1), { at: newest.timestamp, values: newest });
});

test('a steady trickle is stored at most every five milliseconds', async () => {
  let batches = 0;
  const { send } = open(async () => void batches++);
  const began = performance.now();
  const sent: Promise<void>[] = [];
  for (let W = 1; W <= 100; W++) {
    sent.push(send(W));
    await delay(1);
  }
  await Promise.all(sent);
  const most = (performance.now() - began) / 4 + 1; // timers may be a millisecond early
  assert.ok(batches <= most, `${batches} batches`);
});

test('a message that comes alone does not wait for others', async () => {
  let batches = 0;
  const { send } = open(async () => void batches++);
  await send(1);
  await delay(10);
  const stored = send(2);
  assert.equal(batches, 2); // before anything else could happen
  await stored;
});

test('when the store fails its batch fails, and the next one is tried', async () => {
  let isFull = true;
  const { send, acknowledged } = open(async () => {
    if (isFull) throw new Error('no room');
  });
  await assert.rejects(send(1), { message: 'no room' });
  assert.deepEqual(acknowledged, []);
  isFull = false;
  await send(1);
  assert.deepEqual(acknowledged, ['{"acked":[[1,1]]}']);
});

test('a sample that cannot be stored is dropped alone', async () => {
  const stored: number[] = [];
  const { send, acknowledged, counts } = open(async (samples) => {
    await delay(1);
    if (samples.some(({ body }) => body.includes('"W":3'))) throw Object.assign(new Error('bad'), { errcode: 19 });
    stored.push(...samples.map(({ at }) => at - now + 60_000));
  });
  await Promise.all([1, 2, 3, 4, 5].map(send));
  assert.deepEqual(stored, [1, 2, 4, 5]);
  assert.deepEqual(counts.droppedOf(place.serial), { unstorable: 1 });
  assert.ok(acknowledged.includes('{"acked":[[3,3]]}'));
});
