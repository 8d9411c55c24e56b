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
