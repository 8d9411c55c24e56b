import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openOAuth } from '#test/oauth/open-oauth.ts';

test('a question mark in a value stays in it, with all that follows', async () => {
  const cloud = await openOAuth();
  try {
    const address = cloud.authorizeUrl(await cloud.register(), { state: undefined });
    const query = `state=before?after&${address.searchParams.toString()}`; // RFC 3986, 3.4: it need not be escaped there
    const back = await cloud.allow(new URL(`?${query}`, address));
    assert.equal(back.searchParams.get('state'), 'before?after');
    assert.ok(back.searchParams.get('code'));
  } finally {
    await cloud.close();
  }
});

for (const [method, path, status] of [
  ['GET', '/oauth/token', 405],
  ['POST', '/oauth/userinfo', 405],
  ['PUT', '/oauth/authorize/complete', 405],
  ['GET', '/oauth/nothing', 404],
  ['GET', '/oauth', 404],
] as const) {
  test(`${method} ${path} is ${status} in the form of RFC 6749`, async () => {
    const cloud = await openOAuth();
    try {
      const reply = await fetch(`${cloud.url}${path}`, { method });
      const body = (await reply.json()) as Record<string, unknown>;
      assert.equal(reply.status, status);
      assert.match(reply.headers.get('content-type')!, /^application\/json/);
      assert.deepEqual([Object.keys(body), body.error], [['error', 'error_description'], 'invalid_request']);
      assert.equal(reply.headers.has('allow'), status === 405);
    } finally {
      await cloud.close();
    }
  });
}
