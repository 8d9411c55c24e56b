import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maxRawReadings } from '#contract/cloud/telemetry.ts';
import { dayMs } from '#contract/time.ts';
import { encodeReadings } from './codec/reading-chunk.ts';
import { measureRaw, readColumns } from './raw.ts';
import { type Chunk, type ChunkRange, type ReadTables, tiers } from './tables.ts';
import { LastDecodedChunk } from './telemetry-reader.ts';
import { answerTooLargeCode } from './telemetry-store.ts';
import { rawOf, textOf } from './testing/answers.ts';
import { telemetryEngines } from './testing/engines.ts';

const retention = { rawMs: 60 * dayMs, minutesMs: 60 * dayMs, hoursMs: 400 * dayMs };
const day = Date.UTC(2026, 4, 4);
const der = 1;
const secondsOfDay = 86_400;

/** Returns a day with this number of readings, one per second or more. */
function dayOf(start: number, count: number): Chunk {
  const everyMs = Math.min(1000, Math.floor(dayMs / count));
  const at = Float64Array.from({ length: count }, (_, i) => start + i * everyMs);
  const W = at.map((_, i) => i % 7);
  return { tier: tiers.day, start, body: encodeReadings({ at, fields: new Map([['W', W]]) }) };
}

const isTooMany = (error: unknown): boolean => answerTooLargeCode(error) === 'too_many_readings';

const hot = (at: number) => ({ der, at, received: at * 1000, body: '{"W":1}' });

for (const { engine, skip, open } of telemetryEngines) {
  test(`${engine} answers readings up to the limit, and refuses one more`, { skip }, async (t) => {
    const { store, tables } = await open(t, retention);
    const lastDay = day + 2 * dayMs;
    const onLastDay = maxRawReadings - 2 * secondsOfDay;
    await tables.putChunk(der, dayOf(day, secondsOfDay));
    await tables.putChunk(der, dayOf(day + dayMs, secondsOfDay));
    await tables.putChunk(der, dayOf(lastDay, onLastDay - 1));
    await store.append([hot(lastDay), hot(lastDay + dayMs - 1)]); // there already, and the last that may be
    const month = { from: day - 20 * dayMs, to: day + 11 * dayMs };
    const csv = await textOf(store.points(der, month, undefined, 'csv'));
    assert.equal(csv.split('\n').length, 1 + maxRawReadings + 1);
    assert.match(csv, /^timestamp,W\n2026-05-04T00:00:00.000Z,0\n2026-05-04T00:00:01.000Z,1\n/);

    await store.append([hot(lastDay + dayMs)]);
    for (const format of ['json', 'csv'] as const) {
      await assert.rejects(textOf(store.points(der, month, undefined, format)), isTooMany);
    }
    const points = await textOf(store.points(der, { ...month, to: lastDay + dayMs }));
    assert.equal(JSON.parse(points).length, maxRawReadings);
  });

  test(`${engine} counts unsealed readings too`, { skip }, async (t) => {
    const { store, tables } = await open(t, retention);
    await tables.putChunk(der, dayOf(day, maxRawReadings));
    const fresh = Array.from({ length: 12_000 }, (_, i) => hot(day + dayMs + i));
    await store.append(fresh);
    const told = await rawOf(store, der, day + dayMs, day + 2 * dayMs);
    assert.deepEqual(
      told.map(({ at }) => at),
      fresh.map(({ at }) => at),
    );
    await assert.rejects(rawOf(store, der, day, day + 2 * dayMs), isTooMany);
  });

  test(`${engine} skips years without readings in a few queries, and no reading beside them`, { skip }, async (t) => {
    const { store, tables } = await open(t, retention);
    const gaps = [-1000, -500, -499, -482, -100, -1, 0, 17, 900]; // days with a reading
    const times = gaps.map((days, i) => day + days * dayMs + (i % 2 === 0 ? 0 : dayMs - 1));
    const isSealed = (i: number): boolean => i % 3 === 0;
    for (const [i, at] of times.entries()) {
      const body = encodeReadings({ at: Float64Array.of(at), fields: new Map([['W', Float64Array.of(1)]]) });
      if (isSealed(i)) await tables.putChunk(der, { tier: tiers.day, start: day + gaps[i]! * dayMs, body });
      else await store.append([hot(at)]);
    }
    const everything = { from: day - 2000 * dayMs, to: day + 2000 * dayMs };
    const told = await rawOf(store, der, everything.from, everything.to);
    assert.deepEqual(
      told.map(({ at }) => at),
      times,
    );
    let asked = 0;
    const counted = new Proxy(tables, {
      get: (from, name: keyof ReadTables) => {
        asked++;
        return from[name];
      },
    });
    const empty = [day + 901 * dayMs, day + 10_000 * dayMs] as const;
    const { at, end } = await readColumns({ tables: counted, lastChunk: new LastDecodedChunk() }, der, ...empty, ['W']);
    assert.deepEqual([at.length, end], [0, empty[1]]);
    assert.ok(asked <= 12, `${asked} queries`);
  });
}

test('reading stops as soon as a month has too many readings', async () => {
  const asked: number[] = [];
  const tables = {
    hotRows: async () => [],
    chunkSizes: async (_: number, [{ tier, from }]: readonly [ChunkRange]) => [{ tier, start: from, bytes: 1000 }],
    chunks: async (_: number, spans: readonly ChunkRange[]) => {
      const { from } = spans[0]!;
      asked.push(from);
      return [dayOf(from, secondsOfDay)];
    },
  } as unknown as ReadTables;
  await assert.rejects(
    measureRaw(
      { tables, lastChunk: new LastDecodedChunk() },
      der,
      { from: day, to: day + 31 * dayMs },
      undefined,
      'json',
    ),
    isTooMany,
  );
  assert.deepEqual(asked, [day, day + dayMs, day + 2 * dayMs]);
});

test('the number of values limits raw readings too', async () => {
  const names = Array.from({ length: 1000 }, (_, i) => `f${i}`);
  const tables = {
    hotRows: async () => [],
    chunkSizes: async (_: number, [{ tier, from }]: readonly [ChunkRange]) => [{ tier, start: from, bytes: 1000 }],
    chunks: async (_: number, [{ tier, from: start }]: readonly [ChunkRange]) => {
      const at = Float64Array.from({ length: 2000 }, (_, i) => start + i * 1000);
      return [{ tier, start, body: encodeReadings({ at, fields: new Map(names.map((name) => [name, at])) }) }];
    },
  } as unknown as ReadTables;
  const { readings, values } = await measureRaw(
    { tables, lastChunk: new LastDecodedChunk() },
    der,
    { from: day, to: day + 2 * dayMs },
    undefined,
    'json',
  );
  assert.deepEqual([readings, values], [4000, 4_000_000]);
  const isTooManyValues = (error: unknown): boolean => answerTooLargeCode(error) === 'too_many_values';
  await assert.rejects(
    measureRaw(
      { tables, lastChunk: new LastDecodedChunk() },
      der,
      { from: day, to: day + 31 * dayMs },
      undefined,
      'json',
    ),
    isTooManyValues,
  );
  assert.equal(
    (
      await measureRaw(
        { tables, lastChunk: new LastDecodedChunk() },
        der,
        { from: day, to: day + 3 * dayMs },
        ['f1'],
        'json',
      )
    ).values,
    6000,
  );
});
