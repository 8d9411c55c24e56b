import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import * as openid from 'openid-client';
import { button, card, cell } from '../browser/by-role.ts';
import { chromiumMissing } from '../browser/chromium.ts';
import { sharedHome } from '../browser/shared.ts';
import { enterWithKeyFile, signedIn } from '../browser/signed-in.ts';
import { openVisits, phone } from '../browser/visits.ts';

/** The address that receives the answer for the application. */
async function startApplication(t: TestContext): Promise<string> {
  const server = createServer((_, response) => response.end('You are back at the application.'));
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  t.after(() => server.close());
  return `http://localhost:${(server.address() as AddressInfo).port}/callback`;
}

test('at the authorization page', { skip: chromiumMissing, timeout: 180_000 }, async (t) => {
  const { state } = await sharedHome();
  const visits = await openVisits(t);
  const redirect_uri = await startApplication(t);
  const { cloud_url } = state;

  await using owner = await signedIn(visits, state);
  const { page } = owner;
  await page.goto(`${cloud_url}/app/integrations`);
  await page.getByLabel('Name shown to users').fill('Dashboard <b>');
  await page.getByLabel('Redirect URIs').fill(redirect_uri);
  await button(page, 'Register').click();
  const [client_id, client_secret] = await Promise.all([
    page.locator('.notice pre').nth(0).innerText(),
    page.locator('.notice pre').nth(1).innerText(),
  ]);

  const config = await openid.discovery(
    new URL(cloud_url),
    client_id,
    { id_token_signed_response_alg: 'EdDSA' },
    openid.ClientSecretBasic(client_secret),
    { execute: [openid.allowInsecureRequests] },
  );
  const pkceCodeVerifier = openid.randomPKCECodeVerifier();
  const begin = async (): Promise<string> =>
    openid.buildAuthorizationUrl(config, {
      redirect_uri,
      scope: 'openid profile read:sites',
      code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      state: 'the state',
    }).href;
  const sitesBy = (token: string): Promise<Response> =>
    fetch(`${cloud_url}/sites`, { headers: { authorization: `Bearer ${token}` } });

  await t.test('a person chooses an organization, allows, and later withdraws', async () => {
    const arrival = await page.goto(await begin());
    const headers = arrival!.headers();
    assert.match(headers['content-security-policy']!, /^default-src 'none'.*frame-ancestors 'none'/);
    assert.equal(headers['referrer-policy'], 'no-referrer');
    await page.getByRole('heading', { name: 'Dashboard <b> wants to access your account' }).waitFor();
    await page.getByText('See your sites, gateways and devices').waitFor();
    assert.equal(await button(page, 'Allow').isDisabled(), true, 'nothing is chosen for them');
    await page.getByRole('checkbox').first().check();
    await button(page, 'Allow').click();
    await page.waitForURL(`${redirect_uri}?*`);

    const tokens = await openid.authorizationCodeGrant(config, new URL(page.url()), {
      pkceCodeVerifier,
      expectedState: 'the state',
    });
    assert.equal((await sitesBy(tokens.access_token)).status, 200);

    await page.goto(`${cloud_url}/app/integrations`);
    const withdraw = button(page, 'Revoke access: Dashboard <b>');
    const { height } = (await withdraw.boundingBox())!;
    assert.ok(height < 50, `a button of one word, ${height} px high`);
    for (const column of ['Connected', 'Expires']) {
      assert.match((await cell(card(page, 'Connected applications'), /^Dashboard/, column).textContent())!, /\b\d{4}$/);
    }
    await withdraw.click();
    await button(page, 'Revoke access').click();
    await page.getByText('No connected applications').waitFor();
    assert.equal((await sitesBy(tokens.access_token)).status, 401);
  });

  await t.test('a person on a phone signs in with a key file there, and refuses', async () => {
    await using visitor = await visits.visit({ viewport: phone, locale: 'sv-SE' });
    await visitor.page.goto(await begin());
    await enterWithKeyFile(visitor.page, state.private_key_file);
    await button(visitor.page, 'Neka').click();
    await visitor.page.waitForURL(`${redirect_uri}?*`);
    const { searchParams } = new URL(visitor.page.url());
    assert.deepEqual([searchParams.get('error'), searchParams.get('iss')], ['access_denied', cloud_url]);
  });

  await t.test('a request that began in another browser is refused', async () => {
    await page.goto(await begin());
    await button(page, 'Deny').waitFor();
    await using other = await visits.visit();
    await other.page.goto(page.url());
    await other.page.getByText('began in another browser').waitFor();
  });
});
