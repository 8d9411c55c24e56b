import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isWhole, panned, showing, within, zoomed } from './window.ts';

const limits = { whole: { from: 0, to: 1000 }, leastMs: 10 };
const seen = { from: 400, to: 600 };

test('zooming keeps the moment under the pointer where it is', () => {
  assert.deepEqual(zoomed(seen, 0.5, 450, limits), { from: 425, to: 525 });
  assert.deepEqual(zoomed(seen, 2, 500, limits), { from: 300, to: 700 });
});

test('zooming ends at the whole and at the least', () => {
  assert.deepEqual(zoomed(seen, 100, 410, limits), limits.whole);
  assert.deepEqual(zoomed(seen, 0.0001, 500, limits), { from: 495, to: 505 });
});

test('panning ends at the edges with its length', () => {
  assert.deepEqual(panned(seen, 50, limits), { from: 450, to: 650 });
  assert.deepEqual(panned(seen, 5000, limits), { from: 800, to: 1000 });
  assert.deepEqual(panned(seen, -5000, limits), { from: 0, to: 200 });
});

test('a moment outside is brought in, one inside moves nothing', () => {
  assert.deepEqual(showing(seen, 700, limits), { from: 500, to: 700 });
  assert.deepEqual(showing(seen, 100, limits), { from: 100, to: 300 });
  assert.equal(showing(seen, 500, limits), seen);
});

test('a selection that is too small or beyond the whole is made to fit', () => {
  assert.deepEqual(within({ from: 500, to: 502 }, limits), { from: 496, to: 506 });
  assert.deepEqual(within({ from: 990, to: 1200 }, limits), { from: 790, to: 1000 });
  assert.ok(isWhole(within({ from: -500, to: 3000 }, limits), limits));
  assert.ok(!isWhole(seen, limits));
});
