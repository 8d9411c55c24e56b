import assert from 'node:assert/strict';
import { test } from 'node:test';
import { corrupt } from './corruption.ts';

test('no damaged bit and no missing end of a file becomes another setting, key or sample', async () => {
  const { tried, wrong } = await corrupt(200);
  assert.ok(tried >= 200);
  assert.deepEqual(wrong, []);
});

test('the same check catches a reader that does not look at the checksum', async () => {
  assert.ok((await corrupt(200, true)).wrong.length > 0);
});
