import assert from 'node:assert/strict';
import { test } from 'node:test';
import { amount } from '../amount.ts';
import { trySpellings } from './spellings.ts';

test('no other spelling of a path, method or header grants more than the plain one', async () => {
  const { tried, notes } = await trySpellings(amount(2000));
  assert.deepEqual(notes, [], `of ${tried}`);
});
