import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { challengeOf, type OAuthTestCloud, openOAuth, redirectUri, type TestClient, verifier } from './open-oauth.ts';
import { wrongRedirects } from './redirects.ts';

describe('attacks on OAuth', () => {
  let cloud: OAuthTestCloud;
  let client: TestClient;
  let pageApp: TestClient;
  before(async () => {
    cloud = await openOAuth();
    client = await cloud.register();
    pageApp = await cloud.register({ confidential: false });
  });
  after(() => cloud.close());

  const ask = (address: URL | string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(address, { redirect: 'manual', headers });

  test(`none of ${wrongRedirects.length} unregistered addresses is ever redirected to`, async () => {
    assert.ok(wrongRedirects.length >= 100);
    for (const redirect of wrongRedirects) {
      const reply = await ask(cloud.authorizeUrl(client, { redirect_uri: redirect }));
      assert.equal(reply.status, 400, redirect);
      assert.equal(reply.headers.get('location'), null, redirect);
    }
  });

  for (const name of ['redirect_uri', 'client_id', 'state', 'scope', 'code_challenge', 'response_type'])
    test(`a second ${name} gets an error page, not a redirect`, async () => {
      const address = cloud.authorizeUrl(client);
      address.searchParams.append(name, name === 'redirect_uri' ? 'https://evil.test/' : 'x');
      const reply = await ask(address);
      assert.equal(reply.status, 400);
      assert.equal(reply.headers.get('location'), null);
    });

  test('the error page shows the request as text, and cannot be framed', async () => {
    const reply = await ask(cloud.authorizeUrl(client, { redirect_uri: '<script>x</script>', state: '<b>' }), {
      accept: 'text/html',
    });
    assert.match(reply.headers.get('content-type')!, /^text\/html/);
    assert.match(reply.headers.get('content-security-policy')!, /frame-ancestors 'none'/);
    assert.doesNotMatch(await reply.text(), /<script|<b>/);
  });

  for (const uri of [
    'http://dashboard.example/',
    'https://dashboard.example/#x',
    'https://dashboard.example/?code=x',
    'https://dashboard.example/?state=x',
    'https://user@dashboard.example/',
    'https://DASHBOARD.example/',
    'https://dashboard.example:443/',
    'https://dashboard.example/a/../b',
    'https://localhost/',
    'com.example.app:/callback',
    'javascript:alert(1)',
    'nothing',
  ])
    test(`${uri} is refused at registration`, async () => {
      await assert.rejects(cloud.register({ redirect_uris: [uri] }), /422/);
    });

  test('on the loopback address any port matches, and nothing else may differ', async () => {
    const tool = await cloud.register({ redirect_uris: ['http://127.0.0.1/callback'], confidential: false });
    const asked = async (redirect_uri: string): Promise<number> =>
      (await ask(cloud.authorizeUrl(tool, { redirect_uri }))).status;
    assert.equal(await asked('http://127.0.0.1:49152/callback'), 303);
    for (const other of [
      'http://127.0.0.1:49152/other',
      'http://127.0.0.2:49152/callback',
      'http://localhost/callback',
    ])
      assert.equal(await asked(other), 400, other);
  });

  const problemOf = async (address: URL): Promise<string | null> => {
    const reply = await ask(address);
    const location = reply.headers.get('location');
    if (!location) return null;
    const { search, hash } = new URL(location, cloud.url); // errors of other response types are in the fragment
    return new URLSearchParams(search || hash.slice(1)).get('error');
  };

  for (const { title, changes } of [
    { title: 'no challenge', changes: { code_challenge: undefined, code_challenge_method: undefined } },
    { title: 'the method plain', changes: { code_challenge: verifier, code_challenge_method: 'plain' } },
    { title: 'no method, which means plain', changes: { code_challenge_method: undefined } },
    { title: 'an invalid challenge', changes: { code_challenge: 'short' } },
  ])
    test(`${title} is refused, for confidential applications too`, async () => {
      for (const which of [client, pageApp])
        assert.equal(await problemOf(cloud.authorizeUrl(which, changes)), 'invalid_request');
    });

  for (const type of ['token', 'id_token', 'code id_token', 'code token', 'none', ''])
    test(`the response type "${type}" is refused`, async () => {
      const found = await problemOf(cloud.authorizeUrl(client, { response_type: type || undefined }));
      assert.ok(found === 'unsupported_response_type' || found === 'invalid_request', String(found));
    });

  test('a code is bound to its verifier, its application and its address', async () => {
    const other = await cloud.register();
    const fresh = async (): Promise<string> =>
      (await cloud.allow(cloud.authorizeUrl(client))).searchParams.get('code')!;
    for (const [title, reply] of [
      ['no verifier', await cloud.redeem(client, await fresh(), { code_verifier: undefined })],
      ['another verifier', await cloud.redeem(client, await fresh(), { code_verifier: `${verifier}x` })],
      [
        'the challenge as verifier',
        await cloud.redeem(client, await fresh(), { code_verifier: challengeOf(verifier) }),
      ],
      ['another application', await cloud.redeem(other, await fresh())],
      ['another address', await cloud.redeem(client, await fresh(), { redirect_uri: `${redirectUri}/` })],
      ['no address', await cloud.redeem(client, await fresh(), { redirect_uri: undefined })],
      ['no code', await cloud.redeem(client, 'x'.repeat(43))],
    ] as const) {
      assert.equal(reply.status, 400, title);
      assert.ok(['invalid_grant', 'invalid_request'].includes(reply.body.error), `${title}: ${reply.body.error}`);
    }
  });

  test('a refresh token is bound to its application', async () => {
    const other = await cloud.register();
    const { refresh_token } = await cloud.tokens(client);
    assert.equal((await cloud.refresh(other, refresh_token)).body.error, 'invalid_grant');
  });

  test('an application with a secret must send it, in the body or the header and nowhere else', async () => {
    const { client_id, client_secret } = client;
    const form = { grant_type: 'refresh_token', refresh_token: 'x' };
    const outcome = async (path: string, which: TestClient, more: Record<string, string> = {}): Promise<string> =>
      (await cloud.post(path, which, { ...form, ...more })).body.error;
    assert.equal(await outcome('/oauth/token', client), 'invalid_grant'); // it got in
    assert.equal(await outcome('/oauth/token', { client_id }, { client_secret: client_secret! }), 'invalid_grant');
    const wrong = 'invalid_client';
    assert.equal(await outcome('/oauth/token', { client_id, client_secret: `${client_secret}x` }), wrong);
    assert.equal(await outcome('/oauth/token', { client_id, client_secret: 'x' }), wrong);
    const bare = await cloud.post('/oauth/token', { client_id }, form);
    assert.equal(bare.status, 401);
    assert.equal(bare.body.error, wrong);
    const inQuery = `/oauth/token?client_id=${client_id}&client_secret=${client_secret}`;
    assert.equal(await outcome(inQuery, { client_id }), wrong);
    assert.equal(await outcome('/oauth/token', { client_id: 'cli-nobody', client_secret: 'x' }), wrong);
    const stored = await cloud.store.db.selectFrom('oauth_clients').where('id', '=', client_id).selectAll().execute();
    assert.equal(await outcome('/oauth/token', { client_id, client_secret: stored[0]!.secret_hash! }), wrong);
  });

  test('guessing secrets is limited by the sign-in budget', async () => {
    const reply = await cloud.post('/oauth/token', client, { grant_type: 'refresh_token', refresh_token: 'x' });
    assert.match(reply.headers.get('ratelimit-policy')!, /^"login"/);
  });

  test('a request is answered only by the browser that began it, with the token of a person', async () => {
    const begun = await cloud.begin(cloud.authorizeUrl(client));
    const mine = await cloud.begin(cloud.authorizeUrl(client));
    const complete = (headers: Record<string, string>, body: object = {}): Promise<Response> =>
      fetch(new URL('/oauth/authorize/complete', cloud.url), {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ request: begun.request, allow: true, org_ids: [cloud.org], ...body }),
      });
    const authorization = `Bearer ${cloud.owner.token}`;
    const application = `Bearer ${(await cloud.tokens(client)).access_token}`;
    for (const { title, status, headers } of [
      { title: 'no cookie', status: 400, headers: { authorization } },
      { title: 'the cookie of another request', status: 400, headers: { authorization, cookie: mine.cookies } },
      { title: 'no token', status: 401, headers: { cookie: begun.cookies } },
      {
        title: 'the token of an application',
        status: 403,
        headers: { authorization: application, cookie: begun.cookies },
      },
      {
        title: 'a form, which other sites can send',
        status: 415,
        headers: { authorization, cookie: begun.cookies, 'content-type': 'text/plain' },
      },
    ]) {
      const reply = await complete(headers);
      assert.equal(reply.status, status, title);
      assert.ok(typeof ((await reply.json()) as { error: unknown }).error === 'string', title);
    }
    const good = { authorization, cookie: begun.cookies };
    const foreign = await cloud.organization(await cloud.person());
    assert.equal((await complete(good, { org_ids: [foreign] })).status, 404);
    assert.equal((await complete(good, { org_ids: [] })).status, 400);

    const { redirect_to } = (await (await complete(good)).json()) as { redirect_to: string };
    const elsewhere = await ask(redirect_to);
    assert.equal(elsewhere.status, 400, 'the way back is bound to the browser too');
    assert.equal((await ask(redirect_to, { cookie: begun.cookies })).status, 303);
    assert.equal((await ask(redirect_to, { cookie: begun.cookies })).status, 400, 'and works once');
  });

  test('cookies are hidden from scripts, other sites and other paths', async () => {
    const reply = await ask(cloud.authorizeUrl(client));
    for (const cookie of reply.headers.getSetCookie()) {
      assert.match(cookie, /httponly/i);
      assert.match(cookie, /samesite=lax/i);
      assert.match(cookie, /path=\/oauth\/authorize/i);
    }
  });

  test('consent is never silent', async () => {
    assert.equal(await problemOf(cloud.authorizeUrl(client, { prompt: 'none' })), 'login_required');
  });

  test('a refusal redirects with access_denied, state and iss', async () => {
    const begun = await cloud.begin(cloud.authorizeUrl(client, { state: 's' }));
    const back = await cloud.decide(begun, cloud.owner, { allow: false });
    const { error, state, iss, code } = Object.fromEntries(back.searchParams);
    assert.deepEqual([error, state, iss, code], ['access_denied', 's', cloud.url, undefined]);
  });

  test('other grants are refused', async () => {
    for (const grant_type of [
      'password',
      'client_credentials',
      'implicit',
      'urn:ietf:params:oauth:grant-type:jwt-bearer',
    ])
      assert.equal((await cloud.post('/oauth/token', client, { grant_type })).body.error, 'unsupported_grant_type');
  });

  test('the token endpoints accept forms only, and answer other requests with OAuth errors', async () => {
    for (const path of ['/oauth/token', '/oauth/revoke', '/oauth/introspect'])
      for (const body of ['{}', 'x'.repeat(300_000), '%%%', 'grant_type=a&grant_type=b']) {
        const type = body === '{}' ? 'application/json' : 'application/x-www-form-urlencoded';
        const reply = await fetch(new URL(path, cloud.url), {
          method: 'POST',
          headers: { 'content-type': type },
          body,
        });
        assert.ok(reply.status >= 400 && reply.status < 500, `${path} ${body.slice(0, 20)}: ${reply.status}`);
        assert.ok(typeof ((await reply.json()) as { error: unknown }).error === 'string');
      }
  });
});
