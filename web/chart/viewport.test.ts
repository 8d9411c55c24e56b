import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isWhole, keyStep, panned, showing, within, zoomed } from './viewport.ts';

const limits = { whole: { from: 0, to: 1000 }, minMs: 10 };
const seen = { from: 400, to: 600 };

test('zooming keeps the time under the pointer in place', () => {
  assert.deepEqual(zoomed(seen, 0.5, 450, limits), { from: 425, to: 525 });
  assert.deepEqual(zoomed(seen, 2, 500, limits), { from: 300, to: 700 });
});

test('zooming stops at the whole chart and at the smallest part', () => {
  assert.deepEqual(zoomed(seen, 100, 410, limits), limits.whole);
  assert.deepEqual(zoomed(seen, 0.0001, 500, limits), { from: 495, to: 505 });
});

test('panning stops at the edges and keeps its length', () => {
  assert.deepEqual(panned(seen, 50, limits), { from: 450, to: 650 });
  assert.deepEqual(panned(seen, 5000, limits), { from: 800, to: 1000 });
  assert.deepEqual(panned(seen, -5000, limits), { from: 0, to: 200 });
});

test('showing a time moves the viewport only when it is outside', () => {
  assert.deepEqual(showing(seen, 700, limits), { from: 500, to: 700 });
  assert.deepEqual(showing(seen, 100, limits), { from: 100, to: 300 });
  assert.equal(showing(seen, 500, limits), seen);
});

test('a selection that is too small or outside the chart is adjusted', () => {
  assert.deepEqual(within({ from: 500, to: 502 }, limits), { from: 496, to: 506 });
  assert.deepEqual(within({ from: 990, to: 1200 }, limits), { from: 790, to: 1000 });
  assert.ok(isWhole(within({ from: -500, to: 3000 }, limits), limits));
  assert.ok(!isWhole(seen, limits));
});

const x = Array.from({ length: 101 }, (_, i) => i * 10);
const position = { x, pointed: 50, seen: limits.whole, limits };
const press = (key: string, changes: Partial<Parameters<typeof keyStep>[1]> = {}, held = {}) =>
  keyStep({ key, ctrlKey: false, metaKey: false, altKey: false, ...held }, { ...position, ...changes });

for (const { key, index } of [
  { key: 'ArrowRight', index: 51 },
  { key: 'ArrowLeft', index: 49 },
  { key: 'PageDown', index: 60 },
  { key: 'Home', index: 0 },
  { key: 'End', index: 100 },
]) {
  test(`${key} goes from 50 to ${index}`, () => assert.deepEqual(press(key), { index }));
}

test('reading stops at the first and the last value', () => {
  assert.deepEqual(press('ArrowRight', { pointed: 100 }), { index: 100 });
  assert.deepEqual(press('PageUp', { pointed: 3 }), { index: 0 });
});

test('reading starts at the edge of the visible part', () => {
  const seen = { from: 200, to: 400 };
  assert.deepEqual(press('ArrowRight', { pointed: undefined, seen }), { index: 20 });
  assert.deepEqual(press('ArrowLeft', { pointed: undefined, seen }), { index: 40 });
});

test('plus and minus zoom around the current value', () => {
  assert.deepEqual(press('+'), { seen: { from: 250, to: 750 } });
  assert.deepEqual(press('-', { seen: { from: 400, to: 600 } }), { seen: { from: 300, to: 700 } });
  assert.deepEqual(press('0', { seen: { from: 400, to: 600 } }), { seen: limits.whole });
});

test('other keys, and shortcuts of the browser, are ignored', () => {
  assert.equal(press('a'), undefined);
  assert.equal(press('+', {}, { ctrlKey: true }), undefined);
  assert.equal(press('ArrowRight', { x: [] }), undefined);
});
