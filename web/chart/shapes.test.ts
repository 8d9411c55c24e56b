import assert from 'node:assert/strict';
import { test } from 'node:test';
import type uPlot from 'uplot';
import { hourMs } from '#contract/time.ts';
import { isCrowded, isDense } from './shapes.ts';

const yearMs = 365 * 24 * hourMs;

/** Returns a plot with hourly values of two days, of which those up to `last` are visible, on a canvas that shows a year. */
const plotOfYear = (last: number): uPlot =>
  ({
    data: [hoursFrom(0, 48)],
    series: [{ idxs: [0, last] }],
    posToVal: (px: number) => (px / widthPx) * yearMs,
  }) as unknown as uPlot;

test('layers with values close together have no outline, which would cover them', () => {
  assert.equal(isDense(plotOfYear(47)), true);
  assert.equal(isDense(plotOfYear(0)), false, 'only visible values count');
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
