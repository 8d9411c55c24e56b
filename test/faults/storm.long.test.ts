import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isClean } from '#sim/fleet/ledger.ts';
import { storm } from './storm.ts';

test('all gateways reconnect soon after the platform is back, and no reading is lost', async () => {
  const { backMs, answerP99Ms, ownAnswerP99Ms, verdict } = await storm(300);
  console.log(`300 gateways back after ${backMs} ms, answers within ${answerP99Ms} ms`, verdict);
  assert.ok(backMs < 30_000, `${backMs} ms`);
  assert.ok(ownAnswerP99Ms < 200, `somebody waits ${ownAnswerP99Ms} ms`);
  assert.ok(verdict.acknowledged > 0 && isClean(verdict));
});
