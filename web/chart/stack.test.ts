import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChartSeries, Values } from './series.ts';
import { heightsOf, paintOrder } from './stack.ts';

const layer = (name: string, values: Values, stack = true): ChartSeries => ({
  name,
  values,
  stack,
  unit: 'W',
  colour: 'sun',
  kind: 'area',
});
const nothing = (): boolean => false;

test('what comes in is stacked above zero, what goes out below', () => {
  const series = [layer('sun', [1, 2]), layer('house', [-3, -1]), layer('grid', [2, 0]), layer('battery', [0, -1])];
  assert.deepEqual(heightsOf(series, nothing), [
    [1, 2],
    [-3, -1],
    [3, 2],
    [-3, -2],
  ]);
});

test('a layer that changes its side is stacked where its value lies', () => {
  assert.deepEqual(heightsOf([layer('sun', [5, 5]), layer('battery', [2, -2])], nothing)[1], [7, -2]);
});

test('what is absent is not drawn and carries nothing', () => {
  const [, middle, top] = heightsOf([layer('a', [1]), layer('b', [undefined]), layer('c', [2])], nothing);
  assert.deepEqual([middle, top], [[undefined], [3]]);
});

test('the others move down when one is hidden', () => {
  const series = [layer('a', [1]), layer('b', [2]), layer('c', [3])];
  assert.deepEqual(
    heightsOf(series, (name) => name === 'b'),
    [[1], [undefined], [4]],
  );
});

test('a series beside the stack keeps its values', () => {
  assert.deepEqual(heightsOf([layer('a', [1]), layer('line', [9], false), layer('b', [1])], nothing), [[1], [9], [2]]);
});

test('the pile is painted from its top, and lines over it', () => {
  const series = [layer('line', [], false), layer('a', []), layer('b', []), layer('other', [], false)];
  assert.deepEqual(paintOrder(series), [2, 1, 0, 3]);
});
