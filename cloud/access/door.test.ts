import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openCloud } from '#test/cloud/open-cloud.ts';
import { ed25519 } from '#test/cloud/people.ts';
import { postgresMissing } from '#test/services/postgres.ts';

test('a caller sees the remaining budget and when to retry', async () => {
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

for (const { says, headers } of [
  { says: 'guesses tokens', headers: { authorization: 'Bearer a.b.c' } },
  { says: 'guesses tokens of applications', headers: { authorization: `Bearer ${'a'.repeat(43)}` } },
  { says: 'sends no tokens', headers: {} },
  { says: 'sends an invalid token', headers: { authorization: 'Basic YTpi' } },
  { says: 'sends tokens that are far too long', headers: { authorization: `Bearer ${'a'.repeat(5000)}` } },
])
  test(`an address that only ${says} spends the budget of its address, and sees it`, async (t) => {
    const cloud = await openCloud({ env: { RATE_ORDINARY: '5' } });
    t.after(() => cloud.close());
    const replies = [];
    for (let count = 0; count < 7; count++) replies.push(await cloud.call('GET', '/sites', { headers }));
    assert.deepEqual(
      replies.map(({ status }) => status),
      [401, 401, 401, 401, 401, 429, 429],
    );
    for (const { headers: told } of replies) assert.equal(told['ratelimit-policy'], '"ordinary";q=5;w=60');
    assert.equal(replies[0]!.headers.ratelimit, '"ordinary";r=4;t=12');
  });

test('an expired token costs the budget of its address, not that of its identity', async (t) => {
  const cloud = await openCloud({ env: { RATE_ORDINARY: '5', TOKEN_HOURS: '1' } });
  t.after(() => cloud.close());
  const signer = ed25519();
  const ada = await cloud.person(undefined, signer);
  assert.equal((await cloud.call('GET', '/sites', { as: ada })).status, 200);
  cloud.clock.advance(3_600_000);
  const statuses = [];
  for (let count = 0; count < 6; count++) statuses.push((await cloud.call('GET', '/sites', { as: ada })).status);
  assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429]);
  const again = { ...ada, token: await cloud.signIn(signer) };
  assert.equal((await cloud.call('GET', '/sites', { as: again })).status, 200);
});

test('a site that is deleted while it is read is not found', { skip: postgresMissing() }, async () => {
  const cloud = await openCloud({ engine: 'postgres' });
  try {
    const ada = await cloud.person();
    const site = await cloud.site(ada, await cloud.organization(ada));
    const { db } = cloud.store;
    const execute = db.executeQuery.bind(db);
    let deleted = 0;
    db.executeQuery = async (query) => {
      if ('sql' in query && query.sql.startsWith('select * from "sites"')) {
        deleted = (await cloud.call('DELETE', `/sites/${site}`, { as: ada })).status;
      }
      return execute(query);
    };
    const { status, body } = await cloud.call('GET', `/sites/${site}`, { as: ada });
    assert.deepEqual([deleted, status, body.message], [204, 404, 'This has just been deleted.']);
  } finally {
    await cloud.close();
  }
});
