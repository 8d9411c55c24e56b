import assert from 'node:assert/strict';
import { test } from 'node:test';
import { amount } from '#test/amount.ts';
import { engines } from '#test/cloud/open-cloud.ts';
import { tryHomes } from './testing/try-homes.ts';

// npm run prove -- S40 tries 200.
for (const { engine, skip } of engines) {
  test(`generated homes have the energy that flowed, on ${engine}`, { skip }, async () => {
    const { notes = [] } = await tryHomes(amount(engine === 'sqlite' ? 12 : 4), engine);
    assert.deepEqual(notes, []);
  });
}
