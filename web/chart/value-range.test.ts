import assert from 'node:assert/strict';
import { test } from 'node:test';
import { valueRange } from './value-range.ts';

test('power begins at zero, and has a little room at its ends', () => {
  assert.deepEqual(valueRange(100, 1000, 'W', ['line']), [0, 1080]);
  assert.deepEqual(valueRange(-1000, 1000, 'W', ['area']), [-1160, 1160]);
  assert.deepEqual(valueRange(-1000, -10, 'W', ['line']), [-1080, 0]);
});

test('a voltage is seen where it lies', () => {
  assert.deepEqual(valueRange(225, 235, 'V', ['line']), [224.2, 235.8]);
});

test('a share is one of a whole', () => assert.deepEqual(valueRange(0.4, 0.5, '%', ['line']), [0, 1]));

test('what never changes, or was never measured, still has an axis', () => {
  assert.deepEqual(valueRange(0, 0, 'W', ['line']), [0, 1]);
  assert.deepEqual(valueRange(50, 50, 'Hz', ['line']), [46, 54]);
  assert.deepEqual(valueRange(null, null, 'W', ['line']), [0, 1]);
});
