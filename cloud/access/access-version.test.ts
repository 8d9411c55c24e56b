import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAppliedVersion } from './access-version.ts';

test('announced changes are applied one by one, in whatever order they arrive', () => {
  const applied = createAppliedVersion();
  applied.set(4);
  applied.add(6);
  assert.deepEqual([applied.has(4), applied.has(5), applied.has(6)], [true, false, false]);
  applied.add(5);
  assert.ok(applied.has(6));
  applied.add(8); // 7 was not announced
  assert.ok(!applied.has(8));
  applied.set(7);
  assert.ok(applied.has(8));
});

test('after a failure nothing counts as applied until everything was checked', () => {
  const applied = createAppliedVersion();
  applied.set(4);
  applied.reset();
  applied.add(5);
  assert.ok(!applied.has(4) && !applied.has(5));
  applied.set(5);
  assert.ok(applied.has(5));
});
