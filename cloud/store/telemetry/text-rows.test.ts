import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Readings } from './readings.ts';
import type { Empty } from './text-rows.ts';
import { jsonRows } from './text-rows.ts';

const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.maxSafeInteger(),
  fc.tuple(fc.integer(), fc.constantFrom(1, 10, 100, 1000, 10_000, 720)).map(([units, power]) => units / power),
  fc.constantFrom(0, -0, 0.05, -0.001, 999_999_999, 1e9, -1e9, 1e21, 1e-7, Number.MAX_VALUE, Number.MIN_VALUE),
);
const absent = fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY);
const names = ['W', 'W_min', 'total_import_Wh', 'så "sa" \\ de'];
const row = fc.tuple(
  fc.nat({ max: 4e12 }),
  fc.tuple(...names.map(() => fc.oneof({ weight: 3, arbitrary: number }, { weight: 1, arbitrary: absent }))),
);

async function written(readings: Readings, empty: Empty = 'kept'): Promise<string> {
  const { bytes } = await jsonRows(readings, { empty });
  return `[${Buffer.from(bytes).toString()}]`;
}

for (const empty of ['kept', 'dropped'] as const) {
  test(`rows are written as JSON.stringify would; rows without a number are ${empty}`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 60 }), async (rows) => {
        const at = Float64Array.from(rows, ([instant]) => instant);
        const fields = new Map(names.map((name, i) => [name, Float64Array.from(rows, ([, values]) => values[i]!)]));
        const objects = rows.map(([timestamp, values]) => ({
          timestamp,
          ...Object.fromEntries(names.flatMap((name, i) => (Number.isFinite(values[i]) ? [[name, values[i]]] : []))),
        }));
        const expected = objects.filter((object) => empty === 'kept' || Object.keys(object).length > 1);
        assert.equal(await written({ at, fields }, empty), JSON.stringify(expected));
      }),
      { numRuns: 500 },
    );
  });
}

test('rows beyond one piece follow each other, and other work runs in between', async () => {
  const at = Float64Array.from({ length: 50_000 }, (_, i) => i * 1000);
  let turns = 0;
  let isWritten = false;
  const others = (): void => {
    turns++;
    if (!isWritten) setImmediate(others);
  };
  setImmediate(others);
  const rows = JSON.parse(await written({ at, fields: new Map([['W', at]]) }));
  isWritten = true;
  assert.deepEqual(
    rows,
    Array.from(at, (timestamp) => ({ timestamp, W: timestamp })),
  );
  assert.ok(turns > 5, `${turns} turns`);
});

test('a row with more fields than fit into a piece is written', async () => {
  const names = Array.from({ length: 20_000 }, (_, i) => `field ${i}`);
  const fields = new Map(names.map((name, i) => [name, Float64Array.of(i, i)]));
  const rows = JSON.parse(await written({ at: Float64Array.of(1, 2), fields })) as Record<string, number>[];
  assert.deepEqual(
    rows.map((row) => [row.timestamp, Object.keys(row).length, row['field 19999']]),
    [
      [1, 20_001, 19_999],
      [2, 20_001, 19_999],
    ],
  );
});
