import assert from 'node:assert/strict';
import { test } from 'node:test';
import { postgresMissing } from '#test/services/postgres.ts';
import { tryKill } from '../testing/interrupted-move.ts';
import { fillHistory, now, openTwoServers } from '../testing/two-servers.ts';

test('a move can be killed at every statement, before and after it is sent', { skip: postgresMissing() }, async (t) => {
  const servers = await openTwoServers(t);
  const store = await servers.open();
  await fillHistory(store);
  let next = 0;
  let kills = 0;
  for (const isSent of [false, true]) {
    for (let statement = 1; ; statement++) {
      const target = store.serverOf(1) === 'east' ? 'main' : 'east';
      const outcome = await tryKill(servers, store, { part: 1, target, statement, isSent }, next);
      ({ next } = outcome);
      if (outcome.isComplete) break;
      kills++;
      if (statement % 7 === 0) await store.seal(now + next * 1000); // also undoes moves
    }
  }
  t.diagnostic(`${kills} kills, ${next} readings of each DER`);
  assert.ok(kills > 50, `${kills} kills`);
});
