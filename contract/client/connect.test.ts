import assert from 'node:assert/strict';
import { after, before, suite, type TestContext, test } from 'node:test';
import { openCloud, type TestCloud } from '#test/cloud/open-cloud.ts';
import { freePort } from '#test/free-port.ts';
import { getMe, revokeToken } from '../cloud/identity.ts';
import { createOrganization, listOrganizations } from '../cloud/organizations.ts';
import { Problem } from '../problem.ts';
import { type ConnectOptions, connect } from './connect.ts';
import { keyFromPair, makeKey } from './key.ts';

const hour = 3_600_000;

suite('connect', { timeout: 60_000 }, () => {
  let cloud: TestCloud;
  let url = '';
  before(async () => {
    cloud = await openCloud();
    url = await cloud.app.listen({ port: 0, host: '127.0.0.1' });
  });
  after(() => cloud.close());

  /** The requests that were made, as path and status. */
  function watched() {
    const requests: string[] = [];
    const watching: typeof fetch = async (input, init) => {
      const answer = await fetch(input, init);
      requests.push(`${new URL(answer.url).pathname} ${answer.status}`);
      return answer;
    };
    const count = (text: string): number => requests.filter((request) => request === text).length;
    return { fetch: watching, requests, count };
  }

  const signInAnew = async (options: ConnectOptions = {}) => {
    const { key } = await makeKey();
    const { fetch, requests, count } = watched();
    return { key, requests, count, ohmstead: await connect(`${url}/`, { key, fetch, ...options }) };
  };

  /** A cloud whose tokens are good for an hour. */
  async function openShort(t: TestContext) {
    const short = await openCloud({ env: { TOKEN_HOURS: '1' } });
    t.after(() => short.close());
    return { short, shortUrl: await short.app.listen({ port: 0, host: '127.0.0.1' }) };
  }

  /** For the client, so much time has gone by. */
  function letTimePass(t: TestContext, ms: number): void {
    const now = performance.now.bind(performance);
    t.mock.method(performance, 'now', () => now() + ms);
  }

  test('registers an unknown key and signs in with it again', async () => {
    const { key, ohmstead, requests } = await signInAnew({ name: 'Ada' });
    const me = await ohmstead.call(getMe);
    assert.deepEqual(
      { id: me.identity_id, key: me.public_key, name: me.name, type: me.type },
      { id: ohmstead.identityId, key: key.publicKey, name: 'Ada', type: 'user' },
    );
    assert.equal(ohmstead.url, url);
    assert.ok(requests.includes('/identity/register 201'));

    const again = watched();
    assert.equal((await connect(url, { key, fetch: again.fetch })).identityId, ohmstead.identityId);
    assert.equal(again.count('/identity/register 200') + again.count('/identity/register 201'), 0);
  });

  test('leaves an unknown key unregistered when told to', async () => {
    const { key } = await makeKey();
    const refusal = { name: 'Problem', code: 'identity_unknown', message: /not registered/ };
    await assert.rejects(connect(url, { key, register: false }), refusal);
    await assert.rejects(connect(url, { key, register: false }), refusal);
    await connect(url, { key });
    await connect(url, { key, register: false });
  });

  test('takes a key that no script can read', async () => {
    const pair = await crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify']);
    assert.ok('privateKey' in pair);
    const ohmstead = await connect(url, { key: await keyFromPair(pair) });
    assert.match(ohmstead.identityId, /^idt-/);
  });

  test('calls and pages as the one who signed in', async () => {
    const { ohmstead } = await signInAnew();
    for (const name of ['One', 'Two', 'Three']) await ohmstead.call(createOrganization, { body: { name } });
    const names = new Set<string>();
    for await (const { name } of ohmstead.pages(listOrganizations, { query: { limit: 2 } })) names.add(name);
    assert.deepEqual(names, new Set(['One', 'Two', 'Three']));
  });

  test('tells each token, which spares the next start a sign-in', async () => {
    const told: [string, string][] = [];
    const { key, ohmstead } = await signInAnew({ onToken: async (...token) => void told.push(token) });
    const [[token, expiresAt]] = told as [[string, string]];
    assert.equal(told.length, 1);
    assert.equal(token, await ohmstead.token());
    assert.equal(Date.parse(expiresAt), cloud.clock.now() + 24 * hour);

    for (const options of [{ token }, { token, key }]) {
      const { fetch, requests } = watched();
      const next = await connect(url, { ...options, fetch });
      assert.equal(next.identityId, ohmstead.identityId);
      assert.deepEqual(requests, ['/identity/me 200']);
    }
  });

  test('signs in once for many calls when the token is over', async () => {
    const { ohmstead, requests, count } = await signInAnew();
    requests.length = 0;
    cloud.clock.advance(25 * hour);
    const identities = await Promise.all(Array.from({ length: 40 }, () => ohmstead.call(getMe)));
    assert.equal(new Set(identities.map(({ identity_id }) => identity_id)).size, 1);
    assert.equal(count('/auth/verify 200'), 1);
    assert.equal(count('/identity/me 200'), 40);
    await ohmstead.call(getMe);
    assert.equal(count('/auth/verify 200'), 1);
  });

  test('signs in again when the token was revoked', async () => {
    const { ohmstead, count } = await signInAnew();
    const before = await ohmstead.token();
    await ohmstead.call(revokeToken);
    await ohmstead.call(createOrganization, { body: { name: 'After' } });
    assert.notEqual(await ohmstead.token(), before);
    assert.equal(count('/auth/verify 200'), 2);
  });

  test('returns a new token when the current one was refused', async () => {
    const { ohmstead, count } = await signInAnew();
    const refused = await ohmstead.token();
    assert.notEqual(await ohmstead.token(refused), refused);
    await ohmstead.token(refused);
    assert.equal(count('/auth/verify 200'), 2);
  });

  test('has a kept token replaced by its key when it is over, and without a key tells so', async () => {
    const { key, ohmstead } = await signInAnew();
    const token = await ohmstead.token();
    cloud.clock.advance(25 * hour);
    assert.equal((await connect(url, { key, token })).identityId, ohmstead.identityId);
    await assert.rejects(connect(url, { token }), { code: 'unauthenticated' });
    await assert.rejects(connect(url, {}), { code: 'unauthenticated', message: /No key or token to sign in with/ });
  });

  test('keeps its token while it cannot get a new one', async (t) => {
    const { key } = await makeKey();
    let isLoginOpen = true;
    const flaky: typeof fetch = async (input, init) => {
      if (!isLoginOpen && new Request(input).url.includes('/auth/')) throw new TypeError('fetch failed');
      return fetch(input, init);
    };
    const { short, shortUrl } = await openShort(t);
    const ohmstead = await connect(shortUrl, { key, fetch: flaky, retries: 0 });
    isLoginOpen = false;
    letTimePass(t, hour);
    await ohmstead.call(getMe);
    short.clock.advance(2 * hour);
    await assert.rejects(ohmstead.call(getMe), { code: 'unavailable' });
    isLoginOpen = true;
    await ohmstead.call(getMe);
  });

  test('renews the token before it is over', async (t) => {
    const { short, shortUrl } = await openShort(t);
    const { fetch, requests, count } = watched();
    const ohmstead = await connect(shortUrl, { key: (await makeKey()).key, fetch });
    await ohmstead.call(getMe);
    assert.equal(count('/auth/verify 200'), 1);
    const nearlyOver = 0.95 * hour;
    letTimePass(t, nearlyOver);
    short.clock.advance(nearlyOver);
    await ohmstead.call(getMe);
    assert.equal(count('/auth/verify 200'), 2);
    assert.ok(!requests.some((request) => request === '/identity/me 401'));
  });

  test('reports an unreachable platform', async () => {
    const nowhere = `http://127.0.0.1:${await freePort()}`;
    await assert.rejects(connect(nowhere, { key: (await makeKey()).key, retries: 1 }), (error: unknown) => {
      assert.ok(error instanceof Problem);
      assert.match(error.message, /cannot be reached/);
      return true;
    });
  });
});
