import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reachesOf } from './envelope.ts';

const columns = { of: (ms: number) => Math.floor(ms / 10), endOf: (column: number) => (column + 1) * 10 };
const x = Array.from({ length: 20 }, (_, i) => i);

test('a column keeps its least and its greatest value', () => {
  const values = Array.from({ length: 20 }, (_, i) => (i === 3 ? 99 : i === 7 ? -99 : 5));
  assert.deepEqual(reachesOf(x, values, 0, 19, columns), [
    [
      { column: 0, low: -99, high: 99 },
      { column: 1, low: 5, high: 5 },
    ],
  ]);
});

test('a column reaches to where the one before it ended', () => {
  const values = Array.from({ length: 20 }, (_, i) => (i < 10 ? 0 : 100));
  assert.deepEqual(reachesOf(x, values, 0, 19, columns)[0]?.[1], { column: 1, low: 0, high: 100 });
});

test('columns that lie apart reach no further than their own values', () => {
  const runs = reachesOf([0, 140], [0, 100], 0, 1, columns);
  assert.deepEqual(runs, [
    [
      { column: 0, low: 0, high: 0 },
      { column: 14, low: 100, high: 100 },
    ],
  ]);
});

test('a gap ends a run, even within a column', () => {
  const values = [1, 2, null, 3, 4];
  assert.deepEqual(reachesOf(x, values, 0, 4, columns), [
    [{ column: 0, low: 1, high: 2 }],
    [{ column: 0, low: 3, high: 4 }],
  ]);
});

test('only the rows that are asked for are looked at', () => {
  assert.deepEqual(reachesOf(x, [50, 1, 2, 50], 1, 2, columns), [[{ column: 0, low: 1, high: 2 }]]);
});
