import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { allScopes, type OAuthTestCloud, openOAuth, redirectUri, type TestClient } from './open-oauth.ts';

// The tests use http on the loopback address.
const insecure = { [oauth.allowInsecureRequests]: true };

describe('client libraries complete the flow', () => {
  let cloud: OAuthTestCloud;
  let server: TestClient;
  let page: TestClient;
  before(async () => {
    cloud = await openOAuth();
    server = await cloud.register();
    page = await cloud.register({ confidential: false });
  });
  after(() => cloud.close());

  for (const { title, which, authentication } of [
    { title: 'a secret in the header', which: () => server, authentication: openid.ClientSecretBasic },
    { title: 'a secret in the body', which: () => server, authentication: openid.ClientSecretPost },
    { title: 'no secret', which: () => page, authentication: () => openid.None() },
  ])
    test(`openid-client with ${title}: discovery, sign-in, userinfo, refresh, revocation`, async () => {
      const { client_id, client_secret } = which();
      const config = await openid.discovery(
        new URL(cloud.url),
        client_id,
        { id_token_signed_response_alg: 'EdDSA' },
        authentication(client_secret),
        { execute: [openid.allowInsecureRequests] },
      );
      const pkceCodeVerifier = openid.randomPKCECodeVerifier();
      const [expectedState, expectedNonce] = [openid.randomState(), openid.randomNonce()];
      const address = openid.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: allScopes,
        code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
        code_challenge_method: 'S256',
        state: expectedState,
        nonce: expectedNonce,
      });
      const back = await cloud.allow(address);
      const checks = { pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true };
      const tokens = await openid.authorizationCodeGrant(config, back, checks);
      assert.equal(tokens.claims()!.sub, cloud.owner.id);
      const info = await openid.fetchUserInfo(config, tokens.access_token, cloud.owner.id);
      assert.equal(info.login, cloud.owner.id);
      const fresh = await openid.refreshTokenGrant(config, tokens.refresh_token!);
      assert.equal((await cloud.get('/sites', fresh.access_token)).status, 200);
      const state = await openid.tokenIntrospection(config, fresh.access_token);
      assert.equal(state.active, client_secret !== undefined);
      await openid.tokenRevocation(config, fresh.access_token);
      assert.equal((await cloud.get('/sites', fresh.access_token)).status, 401);
    });

  test('oauth4webapi checks the metadata, the issuer of the answer and the signature of the ID token', async () => {
    const issuer = new URL(cloud.url);
    for (const algorithm of ['oauth2', 'oidc'] as const) {
      const metadata = await oauth.discoveryRequest(issuer, { algorithm, ...insecure });
      const as = await oauth.processDiscoveryResponse(issuer, metadata);
      const client: oauth.Client = { client_id: page.client_id, id_token_signed_response_alg: 'EdDSA' };
      const verifier = oauth.generateRandomCodeVerifier();
      const state = oauth.generateRandomState();
      const address = new URL(as.authorization_endpoint!);
      for (const [name, value] of Object.entries({
        client_id: page.client_id,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: 'openid read:sites',
        state,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      }))
        address.searchParams.set(name, value);
      const back = await cloud.allow(address);
      const parameters = oauth.validateAuthResponse(as, client, back, state);
      const reply = await oauth.authorizationCodeGrantRequest(
        as,
        client,
        oauth.None(),
        parameters,
        redirectUri,
        verifier,
        insecure,
      );
      const tokens = await oauth.processAuthorizationCodeResponse(as, client, reply, { requireIdToken: true });
      await oauth.validateApplicationLevelSignature(as, reply, insecure);
      assert.equal(oauth.getValidatedIdTokenClaims(tokens)!.sub, cloud.owner.id);
      const info = await oauth.userInfoRequest(as, client, tokens.access_token, insecure);
      assert.equal((await oauth.processUserInfoResponse(as, client, cloud.owner.id, info)).sub, cloud.owner.id);
    }
  });

  // [auth.generic_oauth] of Grafana: client_id, client_secret, scopes, auth_url, token_url, api_url, use_pkce,
  // login_attribute_path. It sends the secret in the header, the verifier in the body, and reads JSON from api_url.
  test('a generic OAuth client, configured as Grafana documents it, signs a person in', async () => {
    const config = {
      ...server,
      scopes: 'openid profile email',
      auth_url: `${cloud.url}/oauth/authorize`,
      token_url: `${cloud.url}/oauth/token`,
      api_url: `${cloud.url}/oauth/userinfo`,
      login_attribute_path: 'login',
    };
    const verifier = oauth.generateRandomCodeVerifier();
    const address = new URL(config.auth_url);
    address.search = new URLSearchParams({
      access_type: 'online',
      client_id: config.client_id,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: config.scopes,
      state: 'grafana',
    }).toString();
    const back = await cloud.allow(address, []);
    const token = await fetch(config.token_url, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${config.client_id}:${config.client_secret}`)}` },
      body: new URLSearchParams({
        code: back.searchParams.get('code')!,
        code_verifier: verifier,
        grant_type: 'authorization_code',
        redirect_uri: redirectUri,
      }),
    });
    const { access_token, refresh_token } = (await token.json()) as { access_token: string; refresh_token?: string };
    assert.ok(refresh_token);
    const info = (await (await cloud.get('/oauth/userinfo', access_token)).json()) as Record<string, unknown>;
    assert.equal(info[config.login_attribute_path], cloud.owner.id);
    assert.deepEqual(Object.keys(info).sort(), ['email', 'login', 'name', 'sub']);
    assert.equal((await cloud.get('/sites', access_token)).status, 403);
  });
});
