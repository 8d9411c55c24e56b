import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openCloud } from '#test/cloud/open-cloud.ts';
import { ed25519 } from '#test/cloud/people.ts';

test('a caller sees what is left of a budget, and when to come back', async () => {
  const cloud = await openCloud({ env: { RATE_LOGIN: '3' } });
  try {
    const ask = () => cloud.call('POST', '/auth/challenge', { body: { public_key: ed25519().publicKey } });
    const first = await ask();
    assert.equal(first.headers['ratelimit-policy'], '"login";q=3;w=60');
    assert.equal(first.headers.ratelimit, '"login";r=2;t=20');
    await ask();
    await ask();
    const refused = await ask();
    assert.equal(refused.status, 429);
    assert.equal(refused.body.error, 'rate_limited');
    assert.equal(refused.headers['retry-after'], '20');
    cloud.clock.advance(20_000);
    assert.equal((await ask()).status, 200);
  } finally {
    await cloud.close();
  }
});

test('an address that only guesses tokens spends the budget of its address', async () => {
  const cloud = await openCloud({ env: { RATE_ORDINARY: '5' } });
  try {
    const guess = () => cloud.call('GET', '/sites', { headers: { authorization: 'Bearer a.b.c' } });
    const statuses = [];
    for (let count = 0; count < 7; count++) statuses.push((await guess()).status);
    assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429, 429]);
  } finally {
    await cloud.close();
  }
});
