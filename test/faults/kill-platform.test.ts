import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isClean } from '#sim/fleet/ledger.ts';
import { killUnderLoad } from './kill-loop.ts';
import { platformAlone } from './victims.ts';

test('a platform that is killed repeatedly has everything it acknowledged, once', async () => {
  const verdict = await killUnderLoad(await platformAlone(), 4);
  console.log('4 kills', verdict);
  assert.ok(verdict.acknowledged > 500, 'enough was tried');
  assert.ok(isClean(verdict));
});
