import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachEngine } from '#test/cloud/on-each-engine.ts';

onEachEngine('Idempotency-Key', async (cloud) => {
  const ada = await cloud.person();
  const org = await cloud.organization(ada);

  const create = (key: string, name: string, as = ada) =>
    cloud.call('POST', '/sites', { as, body: { org_id: org, name }, headers: { 'idempotency-key': key } });

  test('a retry gets the same answer and makes nothing new', async () => {
    const first = await create('k1', 'House');
    const second = await create('k1', 'House');
    assert.equal(second.status, 201);
    assert.deepEqual(second.body, first.body);
    assert.equal(second.headers['idempotency-replayed'], 'true');
  });

  test('ten retries at once make one site', async () => {
    const replies = await Promise.all(Array.from({ length: 10 }, () => create('k2', 'Cottage')));
    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([201]));
    assert.equal(new Set(replies.map(({ body }) => body.id)).size, 1);
  });

  test('a retry gets the same secret, which is not stored in plain text', async () => {
    const body = { name: 'Dashboard', redirect_uris: ['https://dashboard.example/'], confidential: true };
    const headers = { 'idempotency-key': 'a key that nobody guesses'.replaceAll(' ', '-') };
    const register = () => cloud.call('POST', `/organizations/${org}/oauth-clients`, { as: ada, body, headers });
    const [first, again] = [await register(), await register()];
    assert.deepEqual([first.status, again.status], [201, 201]);
    assert.ok(first.body.client_secret);
    assert.deepEqual(again.body, first.body);
    assert.equal((await cloud.call('GET', `/organizations/${org}/oauth-clients`, { as: ada })).body.length, 1);

    const kept = JSON.stringify(await cloud.store.db.selectFrom('idempotency').selectAll().execute());
    assert.ok(!kept.includes(first.body.client_secret) && !kept.includes(headers['idempotency-key']));
    assert.ok(!kept.includes('Dashboard'));
  });

  test('the key with another body is refused', async () => {
    await create('k3', 'House');
    const reply = await create('k3', 'Barn');
    assert.equal(reply.status, 422);
    assert.equal(reply.body.error, 'idempotency_key_reused');
  });

  test('keys of two people do not meet', async () => {
    const admin = await cloud.member(ada, org, 'admin');
    const [mine, theirs] = [await create('k4', 'House'), await create('k4', 'House', admin)];
    assert.notEqual(mine.body.id, theirs.body.id);
  });

  test('a caller that lost access gets no stored answer', async () => {
    const admin = await cloud.member(ada, org, 'admin');
    assert.equal((await create('k6', 'House', admin)).status, 201);
    await cloud.call('DELETE', `/organizations/${org}/members/${admin.id}`, { as: ada });
    assert.equal((await create('k6', 'House', admin)).status, 404);
  });

  test('a refused request leaves its key free', async () => {
    assert.equal((await create('k5', '')).status, 400);
    assert.equal((await create('k5', 'House')).status, 201);
  });

  test('an empty key or one with other characters is malformed', async () => {
    for (const key of ['', ' ', 'å', 'x'.repeat(256)]) assert.equal((await create(key, 'House')).status, 400, key);
  });
});
