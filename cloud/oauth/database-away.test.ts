import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { openOAuth } from '#test/oauth/open-oauth.ts';

const locked = (): never => {
  throw Object.assign(new Error('database is locked'), { errcode: 5 });
};

describe('while the database is away', async () => {
  const cloud = await openOAuth();
  const client = await cloud.register();
  const { access_token, refresh_token } = await cloud.tokens(client);
  const begun = await cloud.begin(cloud.authorizeUrl(client));
  const { token: unseen } = await cloud.person(); // what was seen before is remembered
  const { db } = cloud.store;
  Object.defineProperty(cloud.store, 'db', { configurable: true, get: locked });
  const { write } = cloud.store;
  cloud.store.write = async () => locked();
  after(async () => {
    Object.defineProperty(cloud.store, 'db', { value: db });
    cloud.store.write = write;
    await cloud.close();
  });

  const authorize = (accept: string) => fetch(cloud.authorizeUrl(client), { headers: { accept } });
  const asked: Record<string, () => Promise<{ status: number; headers: Headers; body?: unknown }>> = {
    'a code that is exchanged': () => cloud.redeem(client, 'code'),
    'a token that is renewed': () => cloud.refresh(client, refresh_token),
    'a token that is given back': () => cloud.post('/oauth/revoke', client, { token: access_token }),
    'a token that is asked about': () => cloud.post('/oauth/introspect', client, { token: access_token }),
    'an application that requests userinfo': () => cloud.get('/oauth/userinfo', access_token),
    'a person who requests their userinfo': () => cloud.get('/oauth/userinfo', unseen),
    'a program that asks for an authorization': () => authorize('application/json'),
    'an authorization page that asks what it is about': () =>
      fetch(`${cloud.url}/oauth/authorize/request?request=${begun.request}`, { headers: { cookie: begun.cookies } }),
  };
  for (const [says, ask] of Object.entries(asked)) {
    test(`${says} gets a retry time, in the form of RFC 6749`, async () => {
      const reply = await ask();
      const body = (reply instanceof Response ? await reply.json() : reply.body) as Record<string, unknown>;
      assert.deepEqual([reply.status, body.error], [503, 'temporarily_unavailable']);
      assert.equal(reply.headers.get('retry-after'), '2');
      assert.deepEqual(Object.keys(body).toSorted(), ['error', 'error_description']);
    });
  }

  test('a browser gets a page that does not blame the application', async () => {
    const reply = await authorize('text/html');
    assert.deepEqual([reply.status, reply.headers.get('retry-after')], [503, '2']);
    assert.match(reply.headers.get('content-type')!, /^text\/html/);
    const page = await reply.text();
    assert.match(page, /temporarily_unavailable/);
    assert.doesNotMatch(page, /not safe/);
  });
});
