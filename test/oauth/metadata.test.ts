import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { decodeProtectedHeader } from 'jose';
import { rotateKeys } from '#cloud/identity/key-ring.ts';
import { until } from '../until.ts';
import { type OAuthTestCloud, openOAuth, redirectUri } from './open-oauth.ts';

describe('OAuth metadata', () => {
  let cloud: OAuthTestCloud;
  before(async () => {
    cloud = await openOAuth();
  });
  after(() => cloud.close());

  type Metadata = Record<string, string> & { code_challenge_methods_supported: string[] };

  const metadata = async (name: string): Promise<Metadata> =>
    (await (await fetch(`${cloud.url}/.well-known/${name}`)).json()) as Metadata;

  test('both documents name the issuer and the specified paths, and promise no more than is served', async () => {
    for (const name of ['oauth-authorization-server', 'openid-configuration']) {
      const found = await metadata(name);
      const expected = {
        issuer: cloud.url,
        authorization_endpoint: `${cloud.url}/oauth/authorize`,
        token_endpoint: `${cloud.url}/oauth/token`,
        userinfo_endpoint: `${cloud.url}/oauth/userinfo`,
        revocation_endpoint: `${cloud.url}/oauth/revoke`,
        introspection_endpoint: `${cloud.url}/oauth/introspect`,
        jwks_uri: `${cloud.url}/.well-known/jwks.json`,
        response_types_supported: ['code'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
        scopes_supported: ['openid', 'profile', 'offline_access', 'read:sites', 'read:telemetry', 'control:ders'],
        id_token_signing_alg_values_supported: ['EdDSA'],
        authorization_response_iss_parameter_supported: true,
      };
      for (const [field, value] of Object.entries(expected)) assert.deepEqual(found[field], value, field);
      for (const absent of ['registration_endpoint', 'device_authorization_endpoint', 'end_session_endpoint'])
        assert.equal(found[absent], undefined, absent);
    }
  });

  test('another host name in the request does not become part of an answer', async () => {
    const reply = await cloud.app.inject({
      url: '/.well-known/openid-configuration',
      headers: { host: 'evil.test', 'x-forwarded-host': 'evil.test', 'x-forwarded-proto': 'https' },
    });
    assert.doesNotMatch(reply.body, /evil/);
  });

  test('ID tokens are signed by the key of the published set, also after a rotation', async () => {
    const client = await cloud.register();
    const kidOf = async (): Promise<string> => decodeProtectedHeader((await cloud.tokens(client)).id_token).kid!;
    const isPublished = async (kid: string): Promise<boolean> => {
      const { keys } = (await (await fetch(`${cloud.url}/.well-known/jwks.json`)).json()) as {
        keys: { kid: string }[];
      };
      return keys.some((key) => key.kid === kid);
    };
    const before = await kidOf();
    assert.ok(await isPublished(before));
    await cloud.store.write(({ db }) => rotateKeys(db, cloud.clock.now(), 3_600_000));
    const later = await until(kidOf, (kid) => kid !== before);
    assert.ok((await isPublished(before)) && (await isPublished(later)));
  });

  test('a page of a public application may call from its own origin, and from no other', async () => {
    const page = await cloud.register({ confidential: false });
    const ask = (origin: string): Promise<Response> =>
      fetch(`${cloud.url}/oauth/token`, {
        method: 'POST',
        headers: { origin },
        body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'x', client_id: page.client_id }),
      });
    const { origin } = new URL(redirectUri);
    assert.equal((await ask(origin)).headers.get('access-control-allow-origin'), origin);
    assert.equal((await ask('https://evil.test')).headers.get('access-control-allow-origin'), null);
  });

  test('a bearer token is read from the header only', async () => {
    const { access_token } = await cloud.tokens(await cloud.register());
    const status = async (path: string): Promise<number> =>
      (await fetch(`${cloud.url}${path}?access_token=${access_token}`)).status;
    assert.equal(await status('/sites'), 401);
    assert.ok([400, 401].includes(await status('/oauth/userinfo')));
    const bare = await fetch(`${cloud.url}/sites`);
    assert.deepEqual([bare.status, bare.headers.get('www-authenticate')], [401, 'Bearer']);
    const wrong = await cloud.get('/sites', 'x'.repeat(43));
    assert.deepEqual([wrong.status, wrong.headers.get('www-authenticate')], [401, 'Bearer error="invalid_token"']);
    assert.match((await cloud.get('/oauth/userinfo', 'x')).headers.get('www-authenticate')!, /invalid_token/);
  });

  test('introspection answers an application about its own tokens only', async () => {
    const [own, other] = [await cloud.register(), await cloud.register()];
    const { access_token } = await cloud.tokens(own);
    const ask = async (client: typeof own) =>
      (await cloud.post('/oauth/introspect', client, { token: access_token })).body;
    const { active, sub, client_id } = await ask(own);
    assert.deepEqual([active, sub, client_id], [true, cloud.owner.id, own.client_id]);
    assert.deepEqual(await ask(other), { active: false });
  });
});
