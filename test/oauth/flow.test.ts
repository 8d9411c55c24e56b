import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { decodeProtectedHeader } from 'jose';
import { engines } from '../cloud/open-cloud.ts';
import { allScopes, type OAuthTestCloud, openOAuth, redirectUri, type TestClient } from './open-oauth.ts';

for (const { engine, skip } of engines) {
  describe(`OAuth on ${engine}`, { skip }, () => {
    let cloud: OAuthTestCloud;
    let client: TestClient;
    before(async () => {
      cloud = await openOAuth({ engine });
      client = await cloud.register();
    });
    after(() => cloud.close());

    test('a person allows an application, which then reads what was allowed', async () => {
      const address = cloud.authorizeUrl(client, { state: 'the state' });
      const back = await cloud.allow(address);
      assert.equal(`${back.origin}${back.pathname}`, redirectUri);
      assert.equal(back.searchParams.get('state'), 'the state');
      assert.equal(back.searchParams.get('iss'), cloud.url);
      const { status, body, headers } = await cloud.redeem(client, back.searchParams.get('code')!);
      assert.equal(status, 200, JSON.stringify(body));
      assert.equal(headers.get('cache-control'), 'no-store');
      assert.deepEqual([body.token_type, body.expires_in, body.scope], ['Bearer', 3600, allScopes]);
      assert.equal(decodeProtectedHeader(body.id_token).alg, 'EdDSA');

      const organizations = await cloud.get('/organizations', body.access_token);
      assert.deepEqual(
        ((await organizations.json()) as { name: string }[]).map(({ name }) => name),
        ['Home'],
      );
      const userinfo = await cloud.get('/oauth/userinfo', body.access_token);
      const person = { sub: cloud.owner.id, name: null, login: cloud.owner.id, email: null };
      assert.deepEqual(await userinfo.json(), person);
      const own = await cloud.get('/oauth/userinfo', await cloud.signIn(cloud.owner));
      assert.deepEqual(await own.json(), person);
    });
  });
}
