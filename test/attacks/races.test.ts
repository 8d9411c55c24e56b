import assert from 'node:assert/strict';
import { test } from 'node:test';
import { amount } from '../amount.ts';
import { engines } from '../cloud/open-cloud.ts';
import { isSerial } from './ownership-model.ts';
import { decideBeforehand, tryRaces } from './races.ts';

for (const { engine, skip } of engines) {
  test(
    `concurrent claims, releases, provisioning and logins end like a sequential order, on ${engine}`,
    {
      skip,
    },
    async () => assert.deepEqual((await tryRaces(amount(engine === 'sqlite' ? 60 : 30), engine)).notes, []),
  );

  test(`the same schedules detect a platform that decides before it acts, on ${engine}`, { skip }, async () => {
    assert.ok((await tryRaces(10, engine, decideBeforehand)).failed > 0);
  });
}

test('two callers that both succeed as the first are detected', () => {
  const moves = [
    { does: 'claim', who: 'ada', message: 0 },
    { does: 'claim', who: 'bob', message: 0 },
  ] as const;
  const ownership = { owner: 'bob', devices: {} } as const;
  assert.ok(isSerial(moves, { statuses: [201, 200], ownership }));
  assert.ok(!isSerial(moves, { statuses: [201, 201], ownership }));
  assert.ok(!isSerial(moves, { statuses: [200, 201], ownership }));
});
