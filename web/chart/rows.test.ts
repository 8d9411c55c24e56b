import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lonePoints, rowAt, rowsOf } from './rows.ts';

const line = (...values: (number | undefined)[]) => ({ values, isStep: false });
const step = (...values: (number | undefined)[]) => ({ values, isStep: true });

test('what was not measured is a gap, and zero is zero', () => {
  assert.deepEqual(rowsOf([0, 10, 20], [line(1, undefined, 0)]).columns, [[1, null, 0]]);
});

test('a distance longer than a step is a gap', () => {
  assert.deepEqual(rowsOf([0, 10, 50, 60], [line(1, 2, 3, 4)], 10), {
    x: [0, 10, 20, 50, 60],
    columns: [[1, 2, null, 3, 4]],
    sources: [0, 1, undefined, 2, 3],
  });
});

test('a reading that is a little late is no gap', () => {
  assert.deepEqual(rowsOf([0, 14, 24], [line(1, 2, 3)], 10).x, [0, 14, 24]);
});

test('a step lasts as long as it stands for, before a gap and at the end', () => {
  const { x, columns } = rowsOf([0, 10, 40], [step(1, 2, 3), line(4, 5, 6)], 10);
  assert.deepEqual(x, [0, 10, 20, 30, 40, 50]);
  assert.deepEqual(columns, [
    [1, 2, 2, null, 3, 3],
    [4, 5, null, null, 6, null],
  ]);
});

for (const { ms, nearest, begun } of [
  { ms: -5, nearest: 0, begun: undefined },
  { ms: 0, nearest: 0, begun: 0 },
  { ms: 7, nearest: 1, begun: 0 },
  { ms: 10, nearest: 1, begun: 1 },
  { ms: 99, nearest: 2, begun: 2 },
]) {
  test(`at ${ms} the nearest row is ${nearest}, the one that has begun ${begun}`, () => {
    assert.equal(rowAt([0, 10, 20], ms, false), nearest);
    assert.equal(rowAt([0, 10, 20], ms, true), begun);
  });
}

test('without rows there is none', () => assert.equal(rowAt([], 5, false), undefined));

test('a value between two gaps is one that no line would show', () => {
  assert.deepEqual(lonePoints([1, null, 2, null, 3, 4]), [0, 2]);
  assert.equal(lonePoints([1, 2, null, 3, 4]), null);
});
