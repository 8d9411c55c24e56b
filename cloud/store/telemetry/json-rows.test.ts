import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { jsonRows } from './json-rows.ts';

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

for (const empty of ['kept', 'dropped'] as const) {
  test(`rows read as JSON.stringify would write them, those without a number are ${empty}`, () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 60 }), (rows) => {
        const at = Float64Array.from(rows, ([instant]) => instant);
        const fields = new Map(names.map((name, i) => [name, Float64Array.from(rows, ([, values]) => values[i]!)]));
        const objects = rows.map(([timestamp, values]) => ({
          timestamp,
          ...Object.fromEntries(names.flatMap((name, i) => (Number.isFinite(values[i]) ? [[name, values[i]]] : []))),
        }));
        const expected = objects.filter((object) => empty === 'kept' || Object.keys(object).length > 1);
        assert.equal(Buffer.from(jsonRows({ at, fields }, { empty })).toString(), JSON.stringify(expected));
      }),
      { numRuns: 500 },
    );
  });
}
