import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lonePoints, paintOrder, rowAt, rowsOf, stackedHeights } from './rows.ts';
import type { ChartSeries, Values } from './series.ts';

test('a missing value is a gap, and zero is zero', () => {
  assert.deepEqual(rowsOf([0, 10, 20], [[1, undefined, 0]]).columns, [[1, null, 0]]);
});

test('a distance longer than a step is drawn as a gap', () => {
  assert.deepEqual(rowsOf([0, 10, 50, 60], [[1, 2, 3, 4]], 10), {
    x: [0, 10, 20, 50, 60],
    columns: [[1, 2, null, 3, 4]],
    sources: [0, 1, undefined, 2, 3],
  });
});

test('a reading that is a little late leaves no gap', () => {
  assert.deepEqual(rowsOf([0, 14, 24], [[1, 2, 3]], 10).x, [0, 14, 24]);
});

for (const { ms, nearest, begun } of [
  { ms: -5, nearest: 0, begun: undefined },
  { ms: 0, nearest: 0, begun: 0 },
  { ms: 7, nearest: 1, begun: 0 },
  { ms: 10, nearest: 1, begun: 1 },
  { ms: 99, nearest: 2, begun: 2 },
]) {
  test(`at ${ms} the nearest row is ${nearest}, and the last that has begun is ${begun}`, () => {
    assert.equal(rowAt([0, 10, 20], ms, false), nearest);
    assert.equal(rowAt([0, 10, 20], ms, true), begun);
  });
}

test('an empty chart has no row', () => assert.equal(rowAt([], 5, false), undefined));

test('a value between two gaps is drawn as a point', () => {
  assert.deepEqual(lonePoints([1, null, 2, null, 3, 4]), [0, 2]);
  assert.equal(lonePoints([1, 2, null, 3, 4]), null);
});

const layer = (name: string, values: Values, stack = true): ChartSeries => ({
  name,
  values,
  stack,
  unit: 'W',
  colour: 'sun',
  kind: 'area',
});
const nothing = (): boolean => false;

test('positive values are stacked above zero, negative values below', () => {
  const series = [layer('sun', [1, 2]), layer('house', [-3, -1]), layer('grid', [2, 0]), layer('battery', [0, -1])];
  assert.deepEqual(stackedHeights(series, nothing), [
    [1, 2],
    [-3, -1],
    [3, 2],
    [-3, -2],
  ]);
});

test('a layer that changes sign is stacked on the side of each value', () => {
  assert.deepEqual(stackedHeights([layer('sun', [5, 5]), layer('battery', [2, -2])], nothing)[1], [7, -2]);
});

test('a missing value is not drawn and adds no height', () => {
  const [, middle, top] = stackedHeights([layer('a', [1]), layer('b', [undefined]), layer('c', [2])], nothing);
  assert.deepEqual([middle, top], [[undefined], [3]]);
});

test('hiding a layer lowers the layers above it', () => {
  const series = [layer('a', [1]), layer('b', [2]), layer('c', [3])];
  assert.deepEqual(
    stackedHeights(series, (name) => name === 'b'),
    [[1], [undefined], [4]],
  );
});

test('a series outside the stack keeps its values', () => {
  assert.deepEqual(stackedHeights([layer('a', [1]), layer('line', [9], false), layer('b', [1])], nothing), [
    [1],
    [9],
    [2],
  ]);
});

test('the stack is painted from the top down, and lines over it', () => {
  const series = [layer('line', [], false), layer('a', []), layer('b', []), layer('other', [], false)];
  assert.deepEqual(paintOrder(series), [2, 1, 0, 3]);
});
