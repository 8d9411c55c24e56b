import assert from 'node:assert/strict';
import { test } from 'node:test';
import type uPlot from 'uplot';
import { hourMs } from '#contract/time.ts';
import { pathsOf } from './shapes.ts';

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
