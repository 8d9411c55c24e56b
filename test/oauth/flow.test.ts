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

    test('an application continues with a refresh token, requested or not, and the person can see it', async () => {
      const scope = 'openid profile read:sites read:telemetry control:ders';
      const begun = await cloud.begin(cloud.authorizeUrl(client, { scope }));
      const asked = await fetch(`${cloud.url}/oauth/authorize/request?request=${begun.request}`, {
        headers: { cookie: begun.cookies },
      });
      assert.ok(((await asked.json()) as { scopes: string[] }).scopes.includes('offline_access'));
      const back = await cloud.decide(begun, cloud.owner, { allow: true, org_ids: [cloud.org] });
      const first = await cloud.redeem(client, back.searchParams.get('code')!);
      assert.equal(first.body.scope, scope);
      const second = await cloud.refresh(client, first.body.refresh_token);
      assert.equal(second.status, 200, JSON.stringify(second.body));
      assert.equal(second.body.scope, scope);
      assert.notEqual(second.body.refresh_token, first.body.refresh_token);
      assert.equal((await cloud.get('/sites', second.body.access_token)).status, 200);
      assert.equal((await cloud.refresh(client, first.body.refresh_token)).body.error, 'invalid_grant');
    });
  });
}
