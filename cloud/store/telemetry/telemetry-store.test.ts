import assert from 'node:assert/strict';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { dayMs, hourMs, minuteMs } from '#contract/time.ts';
import { createLog } from '#lib/log.ts';
import { amount } from '#test/amount.ts';
import { freshDatabase, postgresMissing } from '#test/services/postgres.ts';
import { ownTimeMs } from '#test/waited-for-processor.ts';
import { openPostgresTelemetry } from './postgres/open.ts';
import { openSqliteTelemetry } from './sqlite/open.ts';
import type { PointsQuery, Sample, TelemetryStore } from './telemetry-store.ts';
import { type Bucket, bucketsOf, type Reading, rawOf, textOf } from './testing/answers.ts';
import { forgetBy } from './testing/forget-by.ts';
import { NaiveTelemetry } from './testing/naive-telemetry.ts';

const log = createLog({ level: 'silent', name: 'test' });
const retention = { rawMs: 30 * dayMs, minutesMs: 60 * dayMs, hoursMs: 100 * dayMs };
const noon = Date.UTC(2026, 4, 4, 12);
type Place = { open(): Promise<TelemetryStore>; remove(): Promise<void> };

async function sqlitePlace(): Promise<Place> {
  const { path, remove } = await mkdtempDisposable(join(tmpdir(), 'ohmstead-'));
  return { open: () => openSqliteTelemetry({ dataDir: path, retention, log }), remove };
}

async function postgresPlace(): Promise<Place> {
  const { url, drop } = await freshDatabase();
  return { open: () => openPostgresTelemetry({ url, partitions: 2, retention, log }), remove: drop };
}

let [lastDer, lastReceived] = [0, 0];

/** Returns a sample that is received when it was measured, by default. */
function sampleOf(der: number, at: number, values: object, arrivedAt = at): Sample {
  lastReceived = Math.max(lastReceived + 1, arrivedAt * 1000);
  return { der, at, received: lastReceived, body: JSON.stringify(values) };
}

for (const { engine, place, skip } of [
  { engine: 'SQLite', place: sqlitePlace, skip: false as const },
  { engine: 'PostgreSQL', place: postgresPlace, skip: postgresMissing() },
]) {
  describe(`telemetry in ${engine}`, { skip }, () => {
    let here: Place;
    let store: TelemetryStore;
    before(async () => {
      lastReceived = 0;
      here = await place();
      store = await here.open();
    });
    after(async () => {
      await store.close();
      await here.remove();
    });

    const reopen = async (): Promise<void> => {
      await store.close();
      store = await here.open();
    };

    test('a sample that is already stored changes nothing, sealed or not', async () => {
      const der = ++lastDer;
      const first = sampleOf(der, noon, { W: 1 });
      await store.append([first, sampleOf(der, noon, { W: 2 })]);
      await store.append([sampleOf(der, noon, { W: 3 })]);
      assert.deepEqual((await store.latest([der])).get(der), first);
      await store.seal(noon + dayMs);
      await store.append([sampleOf(der, noon, { W: 4 })]);
      assert.deepEqual(await rawOf(store, der, noon - dayMs, noon + dayMs), [{ at: noon, values: { W: 1 } }]);
      await store.seal(noon + 2 * dayMs);
      assert.deepEqual(await rawOf(store, der, noon - dayMs, noon + dayMs), [{ at: noon, values: { W: 1 } }]);
    });

    test('the latest sample is returned as it was received, or only its numbers once it is sealed', async () => {
      const [quiet, busy, absent] = [++lastDer, ++lastDer, ++lastDer];
      await store.append([sampleOf(quiet, noon, { W: 5, mode: 'auto' })]);
      await store.seal(noon + 2 * hourMs);
      const fresh = sampleOf(busy, noon + 2 * hourMs, { W: 7, mode: 'auto' });
      await store.append([fresh, sampleOf(quiet, noon - 5, { W: 4 })]);
      for (const now of [noon + 2 * hourMs, noon + 3 * dayMs]) {
        const latest = await store.latest([quiet, busy, absent]);
        assert.equal(latest.size, 2);
        assert.equal(latest.get(quiet)!.at, noon);
        assert.deepEqual(JSON.parse(latest.get(quiet)!.body), { W: 5 });
        assert.equal(latest.get(busy)!.at, fresh.at);
        await store.seal(now);
      }
    });

    test('samples are returned in the order they were received, after a restart too, until they are sealed', async () => {
      const [der, other] = [++lastDer, ++lastDer];
      const start = noon + 20 * dayMs;
      const samples = [
        sampleOf(der, start, { W: 1 }),
        sampleOf(der, start + 5000, { W: 2 }),
        sampleOf(der, start - 3 * dayMs, { W: 3 }, start + 6000),
        sampleOf(other, start + 7000, { W: 4 }),
        sampleOf(der, start + 1000, { W: 5 }, start + 8000),
      ];
      await store.append(samples);
      await store.seal(start + 10 * minuteMs);
      await reopen();
      assert.deepEqual(await store.receivedAfter([der, other], samples[0]!.received), samples.slice(1));
      assert.deepEqual(await store.receivedAfter([other], samples[0]!.received), [samples[3]]);
      await store.seal(start + 3 * hourMs);
      assert.equal(await store.receivedAfter([der], samples[0]!.received), undefined);
      assert.deepEqual(await store.receivedAfter([der], samples[4]!.received), []);
    });

    test('a bucket has the last value of a counter; glitches are ignored, resets are not', async () => {
      const der = ++lastDer;
      const hour = noon + 40 * dayMs;
      const values = [100, 110, 3, 120, 130, 0, 0, 140];
      const atEdge = [150, 0, 160];
      const reset = [170, 1, 2, 3];
      await store.append([
        ...values.map((total_import_Wh, i) => sampleOf(der, hour + i * minuteMs, { total_import_Wh })),
        ...atEdge.map((total_import_Wh, i) => sampleOf(der, hour + 58 * minuteMs + i * minuteMs, { total_import_Wh })),
        ...reset.map((total_import_Wh, i) => sampleOf(der, hour + 90 * minuteMs + i * minuteMs, { total_import_Wh })),
      ]);
      const edges = [0, 3, 4, 6, 7, 60, 92, 120].map((minute) => hour + minute * minuteMs);
      for (const now of [hour + 110 * minuteMs, hour + 3 * hourMs, hour + 2 * dayMs]) {
        const buckets = await bucketsOf(store, der, edges);
        assert.deepEqual(
          buckets.map(({ start, fields }) => [(start - hour) / minuteMs, fields.total_import_Wh!.last]),
          [
            [0, 110],
            [3, 120],
            [4, 130],
            [7, 150],
            [60, 1],
            [92, 3],
          ], // prettier than one per line
        );
        const hours = await bucketsOf(store, der, [hour, hour + hourMs, hour + 2 * hourMs]);
        assert.deepEqual(
          hours.map(({ fields }) => fields.total_import_Wh!.last),
          [150, 3],
        );
        await store.seal(now);
      }
    });

    test('a store that is closed while it seals stops without an error, and continues later', async () => {
      const ders = Array.from({ length: 40 }, () => ++lastDer);
      const hour = noon + 70 * dayMs;
      await store.append(ders.map((der) => sampleOf(der, hour, { W: der })));
      const sealing = store.seal(hour + 3 * hourMs);
      await reopen();
      await sealing;
      await store.seal(hour + 3 * hourMs);
      for (const der of ders) {
        assert.deepEqual(await rawOf(store, der, hour, hour + hourMs), [{ at: hour, values: { W: der } }]);
      }
    });

    test('repeated queries include new readings: later ones, late ones, with other fields, sealed or not', async () => {
      const der = ++lastDer;
      const hour = noon + 80 * dayMs;
      const edges = Array.from({ length: 121 }, (_, minute) => hour + minute * minuteMs);
      const told = new Map<number, number>();
      const report = async (minute: number, values: object): Promise<void> => {
        told.set(minute, (values as { W: number }).W);
        await store.append([sampleOf(der, hour + minute * minuteMs, values)]);
      };
      const sees = async (fields?: string[]): Promise<void> => {
        const found = JSON.parse(await textOf(store.points(der, { edges }, fields))) as {
          timestamp: number;
          W: number;
        }[];
        assert.deepEqual(
          found.map(({ timestamp, W }) => [(timestamp - hour) / minuteMs, W]),
          [...told].sort(([a], [b]) => a - b),
        );
      };
      for (const minute of [0, 1, 2, 10, 70, 71]) await report(minute, { W: minute });
      await sees(['W']);
      await report(72, { W: 72, Hz: 50 });
      await sees(['W']);
      await report(5, { W: 5 });
      await sees(['W']);
      await sees();
      await store.seal(hour + 90 * minuteMs); // the first hour; the second stays as it came
      await sees(['W']);
      await report(3, { W: 3 });
      await report(80, { W: 80 });
      await sees(['W']);
      await sees();
      await store.seal(hour + dayMs);
      await sees(['W']);
    });

    test('points are the JSON of readings and of buckets, sealed or not', async () => {
      const der = ++lastDer;
      const hour = noon + 60 * dayMs;
      await store.append([
        sampleOf(der, hour, { W: -1, total_import_Wh: 7, note: 'text' }),
        sampleOf(der, hour + 1000, { W: 3.5, Hz: 50.02 }),
        sampleOf(der, hour + 2000, { note: 'text' }),
        sampleOf(der, hour + minuteMs, { note: 'text' }),
        sampleOf(der, hour + 2 * minuteMs, { W: 1 / 3, W_max: 9, total_import_Wh: 8 }),
      ]);
      const edges = [0, 1, 2, 3].map((minute) => hour + minute * minuteMs);
      const readings = [
        { timestamp: hour, W: -1, total_import_Wh: 7 },
        { timestamp: hour + 1000, W: 3.5, Hz: 50.02 },
        { timestamp: hour + 2000 },
        { timestamp: hour + minuteMs },
        { timestamp: hour + 2 * minuteMs, W: 1 / 3, W_max: 9, total_import_Wh: 8 },
      ];
      const own = { W_max: 9, W_max_min: 9, W_max_max: 9 }; // its own W_max, not that of the bucket
      const buckets = [
        {
          timestamp: hour,
          W: 1.25,
          W_min: -1,
          W_max: 3.5,
          total_import_Wh: 7,
          Hz: 50.02,
          Hz_min: 50.02,
          Hz_max: 50.02,
        },
        { timestamp: hour + 2 * minuteMs, W: 0.333, W_min: 1 / 3, total_import_Wh: 8, ...own },
      ];
      for (const now of [hour + 10 * minuteMs, hour + 3 * hourMs, hour + 2 * dayMs]) {
        const points = async (...asked: [PointsQuery, string[]?]) =>
          JSON.parse(await textOf(store.points(der, ...asked)));
        assert.deepEqual(await points({ from: hour, to: hour + hourMs }), readings);
        assert.deepEqual(await points({ edges }), buckets);
        assert.deepEqual(await points({ edges }, ['Hz']), [
          { timestamp: hour, Hz: 50.02, Hz_min: 50.02, Hz_max: 50.02 },
        ]);
        assert.deepEqual(await points({ edges }, ['all']), []); // a name like any other
        await store.seal(now);
      }
    });

    test('each tier is deleted after its retention and does not return', async () => {
      const der = ++lastDer;
      const old = noon + 100 * dayMs;
      await store.append([sampleOf(der, old, { W: 10 }), sampleOf(der, old + 1000, { W: 20 })]);
      await store.seal(old + 2 * dayMs);
      await forgetBy(store, old + 40 * dayMs);
      await store.append([sampleOf(der, old + 2000, { W: 1000 }, old + 40 * dayMs)]);
      await store.seal(old + 41 * dayMs);
      const minute = [old, old + minuteMs];
      const hour = [old, old + hourMs];
      assert.deepEqual(await rawOf(store, der, old - dayMs, old + dayMs), []);
      assert.equal((await bucketsOf(store, der, minute))[0]!.fields.W!.mean, 15);
      await forgetBy(store, old + 90 * dayMs);
      assert.deepEqual(await bucketsOf(store, der, minute), []);
      assert.equal((await bucketsOf(store, der, hour))[0]!.fields.W!.max, 20);
      await forgetBy(store, old + 140 * dayMs);
      assert.deepEqual(await bucketsOf(store, der, hour), []);
    });

    test('appends continue while hours are sealed', async () => {
      const ders = Array.from({ length: 20 }, () => ++lastDer);
      const start = noon + 700 * dayMs;
      for (let minute = 0; minute < 6 * 60; minute++) {
        const at = start + minute * minuteMs;
        const values = { W: minute % 50, L1_V: 230 + (minute % 7) / 10, total_import_Wh: minute };
        await store.append(ders.flatMap((der) => [0, 1, 2, 3].map((n) => sampleOf(der, at + n * 15_000, values))));
      }
      const done = new AbortController();
      const sealed = store.seal(start + dayMs).finally(() => done.abort());
      const tookMs: number[] = [];
      while (!done.signal.aborted) {
        const began = ownTimeMs();
        await store.append([sampleOf(ders[0]!, start + dayMs + tookMs.length, { W: 1 })]);
        tookMs.push(ownTimeMs() - began);
      }
      assert.equal((await sealed).readings, 20 * 6 * 60 * 4);
      tookMs.sort((a, b) => a - b);
      const p99 = tookMs[Math.floor(tookMs.length * 0.99)]!;
      assert.ok(tookMs.length > 10 && p99 < 200, `${tookMs.length} appends, p99 ${p99} ms`);
    });

    test('any history is answered as a naive store would answer it', async () => {
      let clock = noon + 1000 * dayMs;
      await fc.assert(
        fc.asyncProperty(history, async (steps) => {
          const model = new NaiveTelemetry();
          const der = ++lastDer;
          clock += 20 * dayMs;
          const origin = clock;
          for (const { passes, readings, isSealed, check } of steps) {
            clock += passes;
            const samples = readings.map(({ ago, values }) => {
              const at = Math.max(origin - 2 * dayMs, Math.floor((clock - ago) / 1000) * 1000);
              return sampleOf(der, at, values.counts ? { ...values, total_import_Wh: countAt(at) } : values, clock);
            });
            await store.append(samples);
            model.append(samples);
            if (isSealed) await store.seal(clock);
            await compare(store, model, der, { origin, clock, ...check });
          }
        }),
        { numRuns: amount(60) },
      );
    });
  });
}

const gauge = fc.oneof(
  fc.integer({ min: -5000, max: 5000 }),
  fc.integer({ min: 2200, max: 2400 }).map((value) => value / 10),
  fc.double({ noNaN: true, min: -1e100, max: 1e100 }),
);
// Counts up, and sometimes restarts so far below that no later reading reaches the old value, which would be a glitch.
const countAt = (at: number): number => (at % (10 * hourMs)) / 1000 - 1e6 * Math.floor(at / (10 * hourMs));
const values = fc.record(
  {
    W: gauge,
    V: gauge,
    odd: gauge,
    counts: fc.constant(true),
    note: fc.constant('text'),
    inner: fc.constant({ W: 1 }),
  },
  { requiredKeys: [] },
);

const agoMs = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: 0, max: 10 * minuteMs }) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 3 * hourMs }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 60 * hourMs }) },
);

const history = fc.array(
  fc.record({
    passes: fc.oneof(fc.integer({ min: 0, max: 30 * minuteMs }), fc.integer({ min: 0, max: 30 * hourMs })),
    readings: fc.array(fc.record({ ago: agoMs, values }), { maxLength: 30 }),
    isSealed: fc.boolean(),
    check: fc.record({
      from: fc.integer({ min: 0, max: 4 * 24 * 60 }),
      length: fc.integer({ min: 1, max: 48 * 60 }),
      bucketMinutes: fc.constantFrom(1, 5, 7, 60, 120, 24 * 60),
      only: fc.constantFrom(undefined, ['W'], ['V', 'total_import_Wh']),
    }),
  }),
  { minLength: 1, maxLength: 10 },
);

type Check = {
  origin: number;
  clock: number;
  from: number;
  length: number;
  bucketMinutes: number;
  only: readonly string[] | undefined;
};

async function compare(store: TelemetryStore, model: NaiveTelemetry, der: number, check: Check): Promise<void> {
  const first = check.origin - 2 * dayMs + check.from * minuteMs;
  const end = first + check.length * minuteMs;
  const bucketMs = check.bucketMinutes * minuteMs;
  const from = Math.floor(first / bucketMs) * bucketMs;
  const edges = Array.from({ length: Math.ceil((end - from) / bucketMs) + 1 }, (_, i) => from + i * bucketMs);
  assert.deepEqual(
    sorted(await rawOf(store, der, first, end, check.only)),
    sorted(model.raw(der, first, end, check.only)),
  );
  sameBuckets(await bucketsOf(store, der, edges, check.only), model.buckets(der, edges, check.only));

  const latest = (await store.latest([der])).get(der);
  assert.equal(latest?.at, model.latest(der)?.at);
  const since = (check.clock - 15 * minuteMs) * 1000;
  const expected = model.arrivedAfter([der], since);
  const arrived = (await store.receivedAfter([der], since))!;
  // A sealed sample that is sent again may be returned again.
  assert.deepEqual(
    arrived.filter(({ received }) => model.hasFirst(received)),
    expected,
  );
}

const sorted = (readings: Reading[]): unknown =>
  readings.map(({ at, values }) => [at, Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1))]);

function sameBuckets(actual: Bucket[], expected: Bucket[]): void {
  assert.deepEqual(withoutMeans(actual), withoutMeans(expected));
  for (const [i, { fields }] of expected.entries()) {
    for (const [name, { mean, min, max }] of Object.entries(fields)) {
      const error = Math.abs(actual[i]!.fields[name]!.mean - mean);
      assert.ok(error <= 1e-9 * Math.max(Math.abs(min), Math.abs(max)), `${name}: ${error} beside ${mean}`);
    }
  }
}

const withoutMeans = (buckets: Bucket[]): unknown =>
  buckets.map(({ start, fields }) => [
    start,
    Object.entries(fields)
      .map(([name, { min, max, last }]) => [name, min, max, last] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  ]);
