import assert from 'node:assert/strict';
import { test } from 'node:test';
import type uPlot from 'uplot';
import { hourMs } from '#contract/time.ts';
import { columnRanges, isCrowded, pathsOf } from './shapes.ts';

const yearMs = 365 * 24 * hourMs;

/** Returns a plot with hourly values of two days, on a canvas that shows a year. */
function plotOfYear(): uPlot {
  const hours = Array.from({ length: 48 }, (_, i) => i * hourMs);
  const [left, width] = [0, 1000];
  return {
    data: [hours, hours.map((_, i) => (i % 3) * 1000)],
    series: [{}, { scale: 'W' }],
    scales: { x: { min: 0, max: yearMs } },
    bbox: { left, width },
    posToVal: (px: number) => (px / width) * yearMs,
    valToPos: (value: number) => 200 - value / 100,
  } as unknown as uPlot;
}

test('layers with values close together have no outline, which would cover them', (t) => {
  const drawn: number[][] = [];
  class Path2D {
    moveTo(...point: number[]) {
      drawn.push(point);
    }
    lineTo(...point: number[]) {
      drawn.push(point);
    }
    closePath() {}
  }
  Object.assign(globalThis, { Path2D });
  t.after(() => Reflect.deleteProperty(globalThis, 'Path2D'));
  const layer = { name: 'Sun', unit: 'W', values: [], colour: 'sun', kind: 'area', stack: true } as const;
  const paths = pathsOf(layer, () => 0)(plotOfYear(), 1, 0, 47);
  assert.equal(paths?.stroke, null);
  assert.equal(Math.min(...drawn.map(([, y]) => y!)), 180, 'the peak is visible');
});

const columns = { of: (ms: number) => Math.floor(ms / 10), endOf: (column: number) => (column + 1) * 10 };
const x = Array.from({ length: 20 }, (_, i) => i);

test('a column has the lowest and the highest of its values', () => {
  const values = Array.from({ length: 20 }, (_, i) => (i === 3 ? 99 : i === 7 ? -99 : 5));
  assert.deepEqual(columnRanges(x, values, 0, 19, columns), [
    [
      { column: 0, low: -99, high: 99 },
      { column: 1, low: 5, high: 5 },
    ],
  ]);
});

test('a column includes the last value of the column before it', () => {
  const values = Array.from({ length: 20 }, (_, i) => (i < 10 ? 0 : 100));
  assert.deepEqual(columnRanges(x, values, 0, 19, columns)[0]?.[1], { column: 1, low: 0, high: 100 });
});

test('columns that are not neighbours have the range of their own values', () => {
  const runs = columnRanges([0, 140], [0, 100], 0, 1, columns);
  assert.deepEqual(runs, [
    [
      { column: 0, low: 0, high: 0 },
      { column: 14, low: 100, high: 100 },
    ],
  ]);
});

test('a gap ends a run, even within a column', () => {
  const values = [1, 2, null, 3, 4];
  assert.deepEqual(columnRanges(x, values, 0, 4, columns), [
    [{ column: 0, low: 1, high: 2 }],
    [{ column: 0, low: 3, high: 4 }],
  ]);
});

test('only the given rows are read', () => {
  assert.deepEqual(columnRanges(x, [50, 1, 2, 50], 1, 2, columns), [[{ column: 0, low: 1, high: 2 }]]);
});

const widthPx = 1000;
const minMs = (seenMs: number): number => (8 * seenMs) / widthPx;
const hoursFrom = (ms: number, count: number): number[] => Array.from({ length: count }, (_, i) => ms + i * hourMs);

for (const { says, x, seenMs, crowded } of [
  { says: 'the hours of two days in a year', x: hoursFrom(0, 48), seenMs: yearMs, crowded: true },
  {
    says: 'the hours of its first day and of its last',
    x: [...hoursFrom(0, 24), ...hoursFrom(yearMs - 24 * hourMs, 24)],
    seenMs: yearMs,
    crowded: true,
  },
  { says: 'the hours of two days in these', x: hoursFrom(0, 48), seenMs: 48 * hourMs, crowded: false },
  { says: 'a single hour', x: [0], seenMs: yearMs, crowded: false },
]) {
  test(`${says} are ${crowded ? '' : 'not '}crowded`, () =>
    assert.equal(isCrowded(x, 0, x.length - 1, minMs(seenMs)), crowded));
}

test('rows outside the given ones are ignored', () => {
  assert.equal(isCrowded([0, 1, 2, 1000, 2000, 2001], 3, 4, 10), false);
});
