import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hourScale } from './hour-scale.ts';

test('positive prices start at the bottom', () => {
  const { zero, barOf } = hourScale([0.5, 2, 0]);
  assert.equal(zero, 0);
  assert.deepEqual(
    [0.5, 2, 0].map((price) => barOf(price)),
    [
      { bottom: 0, height: 25 },
      { bottom: 0, height: 100 },
      { bottom: 0, height: 3 },
    ],
  );
});

test('a negative price hangs from the zero line', () => {
  const { zero, barOf } = hourScale([3, -1]);
  assert.equal(zero, 25);
  assert.deepEqual(barOf(-1), { bottom: 0, height: 25 });
  assert.deepEqual(barOf(3), { bottom: 25, height: 75 });
});

test('negative prices alone hang from the top', () => {
  const { zero, barOf } = hourScale([-1, -2]);
  assert.equal(zero, 100);
  assert.deepEqual(barOf(-1), { bottom: 50, height: 50 });
});
