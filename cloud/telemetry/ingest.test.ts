import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { dayMs } from '#contract/time.ts';
import type { Clock } from '#lib/clock.ts';
import { createLog } from '#lib/log.ts';
import { createRegistry } from '#lib/metrics/registry.ts';
import type { Sample, TelemetryStore } from '../store/telemetry/telemetry-store.ts';
import { isUnstorable } from '../store/telemetry/telemetry-store.ts';
import type { IngestRoute } from '../store/telemetry-registry.ts';
import { createIngestCounts } from './counts.ts';
import { createIngest } from './ingest.ts';
import { createLatest, createLive } from './live.ts';
import { momentOf } from './measured.ts';

const place = { serial: 'ohm-1', device: 'M-1', der: 'meter' };
const names = { der_id: 'der-1', site_id: 'sit-1', gateway_serial: place.serial } as const;
const route = { ...names, der_type: 'solar', since: 0 } as IngestRoute;
const now = Date.parse('2026-06-01T12:00:00Z');
const bodyOf = (W: number): Buffer => Buffer.from(JSON.stringify({ timestamp: now - 60_000 + W, W, seq: W }));

/** An ingest for the DERs whose number is that of their device, into a store that does what the test says, and tells what it had already. */
function open(
  append: (samples: readonly Sample[]) => Promise<number[] | undefined>,
  { since = 0, clock = { now: () => now } }: { since?: number; clock?: Clock } = {},
) {
  const heard: unknown[] = [];
  const acknowledged: string[] = [];
  const lines: string[] = [];
  const counts = createIngestCounts(createRegistry());
  const telemetry = {
    append: async (samples) => (await append(samples)) ?? [],
    batching: { gatherMs: 5, enough: 100 },
    serverOf: (der) => (der % 2 === 0 ? 'east' : 'main'),
    oldestKept: () => now - 30 * dayMs,
  } as Pick<TelemetryStore, 'append' | 'batching' | 'serverOf' | 'oldestKept'> as TelemetryStore;
  const ingest = createIngest({
    telemetry,
    routing: { find: (_, device) => ({ ...route, since, no: Number(device.slice(2)) }), forget: () => {} },
    latest: createLatest(telemetry, { isShared: false }),
    live: createLive(),
    transport: { publish: (_, payload) => acknowledged.push(payload) > 0, isWanted: () => false },
    onReading: (reading) => void heard.push({ at: momentOf(reading), values: reading.values }),
    counts,
    fieldLimit: { excessOf: () => new Set() },
    ledger: { note: () => undefined },
    clock,
    log: createLog({ level: 'info', name: 'test', destination: { write: (line) => void lines.push(line) } }),
    isPoison: isUnstorable,
    activate: async () => {},
    usage: { isUsedUp: () => false, add: () => {} },
  });
  const tell = (reading: object) => ingest.telemetry(place, Buffer.from(JSON.stringify(reading)));
  const send = (W: number, device = place.device) => ingest.telemetry({ ...place, device }, bodyOf(W));
  return { send, tell, heard, acknowledged, counts, lines };
}

test('messages that wait while a batch is stored are stored together, and share one promise', async () => {
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
  const sent: Promise<boolean>[] = [];
  for (let W = 1; W <= 100; W++) {
    sent.push(send(W));
    await delay(1);
  }
  await Promise.all(sent);
  const most = (performance.now() - began) / 4 + 1; // timers may be a millisecond early
  assert.ok(batches <= most, `${batches} batches`);
});

test('a single message does not wait for others', async () => {
  let batches = 0;
  const { send } = open(async () => void batches++);
  await send(1);
  await delay(10);
  const stored = send(2);
  assert.equal(batches, 2); // before anything else could happen
  await stored;
});

test('when the store fails, its batch fails, and the next one is attempted', async () => {
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

test('a server that is down does not hold up the readings of others', async () => {
  const down = Promise.withResolvers<undefined>();
  const { send, acknowledged, lines } = open((samples) =>
    samples.some(({ der }) => der === 2) ? down.promise : Promise.resolve(undefined),
  );
  const waiting = send(1, 'M-2');
  for (const W of [2, 3, 4]) await send(W, 'M-1');
  assert.deepEqual(acknowledged, ['{"acked":[[2,2]]}', '{"acked":[[3,3]]}', '{"acked":[[4,4]]}']);
  down.reject(new Error('no route to east'));
  await assert.rejects(waiting, { message: 'no route to east' });
  await send(5, 'M-1');
  assert.deepEqual(
    lines.map((line) => JSON.parse(line)).map(({ msg, server }) => ({ msg, server })),
    [{ msg: 'failed to store readings, their gateways keep them', server: 'east' }],
  );
});

test('a failure to store readings is logged when it begins and when it ends', async () => {
  let isFull = true;
  const { send, lines } = open(async () => {
    if (isFull) throw new Error('no room');
  });
  const messages = (): string[] => lines.map((line) => JSON.parse(line).msg);
  for (const W of [1, 2, 3]) await assert.rejects(send(W));
  assert.deepEqual(messages(), ['failed to store readings, their gateways keep them']);
  isFull = false;
  for (const W of [1, 2, 3]) await send(W);
  assert.deepEqual(messages().slice(1), ['readings are stored again']);
});

test('a sample that cannot be stored is dropped alone', async () => {
  const stored: number[] = [];
  const { send, acknowledged, counts } = open(async (samples) => {
    await delay(1);
    if (samples.some(({ body }) => body.includes('"W":3'))) throw Object.assign(new Error('bad'), { errcode: 19 });
    stored.push(...samples.map(({ at }) => at - now + 60_000));
  });
  await Promise.all([1, 2, 3, 4, 5].map((W) => send(W)));
  assert.deepEqual(stored, [1, 2, 4, 5]);
  assert.deepEqual(counts.droppedOf(place.serial), { unstorable: 1 });
  assert.ok(acknowledged.includes('{"acked":[[3,3]]}'));
});

test('readings older than the retention are dropped and counted, and not reported as stored', async () => {
  const stored: number[] = [];
  const { tell, acknowledged, counts } = open(async (samples) => void stored.push(...samples.map(({ at }) => at)));
  await tell({ timestamp: now - 31 * dayMs, W: 1, seq: 1 });
  await tell({ timestamp: now - 29 * dayMs, W: 2, seq: 2 });
  assert.deepEqual(stored, [now - 29 * dayMs]);
  assert.deepEqual(counts.droppedOf(place.serial), { too_old: 1 });
  assert.deepEqual(acknowledged, ['{"acked":[[1,1]]}', '{"acked":[[2,2]]}']);
});

test('dropped and repeated readings are not reported as written', async () => {
  const { send, tell } = open(async (samples) => {
    if (samples.some(({ body }) => body.includes('"W":3'))) throw Object.assign(new Error('bad'), { errcode: 19 });
    return samples.filter(({ body }) => body.includes('"W":2')).map(({ received }) => received);
  });
  const isWritten = [await send(1), await send(2), await send(3), await tell({ timestamp: now - 31 * dayMs, W: 4 })];
  assert.deepEqual(isWritten, [true, false, false, false]);
  assert.deepEqual(
    await Promise.all([1, 2, 3, 4].map((W) => send(W))),
    [true, true, true, true],
    'one of the batch was',
  );
});

test('with a clock that is behind no reading is dropped as too old: the gateways keep them until the clock is right', async () => {
  const stored: number[] = [];
  const clock = { now: () => now - 365 * dayMs };
  const { tell, acknowledged, counts } = open(async (samples) => void stored.push(...samples.map(({ at }) => at)), {
    clock,
  });
  const reading = { timestamp: now, W: 1, seq: 1 };
  await assert.rejects(tell(reading), { message: 'The clock is behind the oldest readings that are kept.' });
  assert.deepEqual([acknowledged, counts.droppedOf(place.serial)], [[], {}]);
  clock.now = () => now;
  await tell(reading);
  assert.deepEqual([stored, acknowledged], [[now], ['{"acked":[[1,1]]}']]);
});

test('readings that a gateway measured for its former owner are not stored for the new one', async () => {
  const stored: number[] = [];
  const { tell, counts } = open(async (samples) => void stored.push(...samples.map(({ at }) => at)), {
    since: now - dayMs,
  });
  await tell({ timestamp: now - dayMs - 1, W: 1, seq: 1 });
  await tell({ timestamp: now - dayMs, W: 2, seq: 2 });
  assert.deepEqual(stored, [now - dayMs]);
  assert.deepEqual(counts.droppedOf(place.serial), { before_claim: 1 });
});

test('after a clock that was ahead is set right, readings are shown again', async () => {
  const { tell, heard } = open(async () => {});
  await tell({ timestamp: now + 2 * 3_600_000, W: 1 });
  await tell({ timestamp: now - 500, W: 2 });
  assert.equal(heard.length, 1, 'measured before the one that came before it');
  await tell({ timestamp: now + 1000, W: 3 });
  assert.equal(heard.length, 2);
  assert.deepEqual((heard[1] as { values: object }).values, { timestamp: now + 1000, W: 3 });
  assert.ok((heard[1] as { at: number }).at <= now + 1, 'no later than it came');
});
