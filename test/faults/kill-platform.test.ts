import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isClean } from '#sim/fleet/ledger.ts';
import { killUnderLoad } from './kill-loop.ts';
import { platformAlone } from './victims.ts';

test('a platform that is killed again and again keeps all it acknowledged, once', async () => {
  const verdict = await killUnderLoad(await platformAlone(), 6);
  console.log('6 kills', verdict);
  assert.ok(verdict.acknowledged > 500, 'enough was tried');
  assert.ok(isClean(verdict));
});

test('the same check catches a platform that acknowledges before it stores', async () => {
  const verdict = await killUnderLoad(await platformAlone('early-ack'), 3);
  console.log('3 kills with the planted bug', verdict);
  assert.ok(verdict.lost > 0, 'the planted bug must be seen');
});
