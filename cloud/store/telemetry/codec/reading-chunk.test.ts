import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { amount } from '#test/amount.ts';
import type { Readings } from '../readings.ts';
import { decodeReadings, encodeReadings } from './reading-chunk.ts';

const value = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer().map((units) => units / 10),
  fc.integer({ min: 22_000, max: 24_000 }).map((units) => units / 100),
  fc.maxSafeInteger(),
  fc.constantFrom(0, -0, Number.MAX_VALUE, Number.MIN_VALUE, 2 ** 50, -(2 ** 50), 1e15, 0.1 + 0.2),
);
const kind = fc.oneof(value, fc.constant(undefined));
const names = ['W', 'L1_W', 'L2_W', 'L3_W', 'L1_V', 'L1_A', 'V', 'A', 'total_import_Wh', 'så'];
const row = fc.tuple(fc.nat({ max: 100_000 }), fc.tuple(...names.map(() => kind)));

function readingsOf(rows: [number, (number | undefined)[]][]): Readings {
  let at = Date.UTC(2026, 4, 4);
  return {
    at: Float64Array.from(rows, ([step]) => {
      at += step + 1;
      return at;
    }),
    fields: new Map(
      names.map((name, field) => [name, Float64Array.from(rows, ([, values]) => values[field] ?? Number.NaN)]),
    ),
  };
}

test('readings are decoded exactly, with absent values absent and -0 as 0', () => {
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 60 }), (rows) => {
      const readings = readingsOf(rows);
      const { at, fields } = decodeReadings(encodeReadings(readings));
      assert.deepEqual(at, readings.at);
      for (const [name, column] of readings.fields) {
        assert.deepEqual(
          fields.get(name),
          column.map((value) => value + 0),
        );
      }
    }),
    { numRuns: amount(500) },
  );
});

test('a reading of a meter takes a few bytes', () => {
  const rows = Array.from({ length: 720 }, (_, i): [number, number[]] => [
    4999,
    [600 + (i % 7), 100 + (i % 3), 200, 300 + (i % 5), 230 + (i % 4) / 10, 0.43, 231, 2.6, 1000 + i, 1],
  ]);
  const size = encodeReadings(readingsOf(rows)).length;
  assert.ok(size < 720, `${size} bytes`);
});
