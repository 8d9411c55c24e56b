import assert from 'node:assert/strict';
import { test } from 'node:test';
import { corrupt, trusting } from './corruption.ts';

test('no flipped bit and no truncated file becomes another setting, key or sample', async () => {
  const { tried, wrong } = await corrupt(200);
  assert.ok(tried >= 200);
  assert.deepEqual(wrong, []);
});

test('the same check detects readers that ignore the checksum', async () => {
  const { wrong } = await corrupt(200, true);
  assert.deepEqual([...new Set(wrong.map(({ subject }) => subject))].sort(), [...trusting].sort());
});
