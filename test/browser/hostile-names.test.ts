import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { anyPorts, startUp } from '../stack/up-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { button } from './by-role.ts';
import { chromiumMissing } from './chromium.ts';
import { gatewayPages, platformPages } from './every-path.ts';
import { hostile, hostileSerial, plantHostileHome } from './hostile-home.ts';
import { goSettled, walkSettled, walkTo } from './settled.ts';
import { enterWithKeyFile } from './signed-in.ts';
import { openVisits } from './visits.ts';

// Traces of a text that was treated as more than text. The pages themselves have none.
const breaches = `({
  ran: 'ran' in globalThis,
  grown: [...document.querySelectorAll('img[src="x"], script:not([src]), [onerror], [onload], [href^="javascript:" i]')]
    .map((element) => element.outerHTML),
})`;

const textsOf = `[
  document.body.innerText,
  document.title,
  ...[...document.querySelectorAll('input, textarea, option')].map(({ value, text }) => text ?? value),
].join('\\n')`;

async function seeHarmless(page: Page): Promise<string> {
  assert.deepEqual(await page.evaluate(breaches), { ran: false, grown: [] });
  return page.evaluate<string>(textsOf);
}

test('hostile names', { skip: chromiumMissing, timeout: 300_000 }, async (t) => {
  const env = { ...anyPorts, GATEWAY_DISPLAY_NAME: hostile('gateway') };
  const { state } = await startUp(t, temporaryFolder(t), ['--houses', '0', '--without-history'], env);
  await using planted = await plantHostileHome(state);
  const visits = await openVisits(t);
  await using visitor = await visits.visit();
  const { page } = visitor;
  const seen: string[] = [];

  await t.test('the sign-in page shows them as text', async () => {
    const pem = { name: 'key.pem', mimeType: 'application/x-pem-file', buffer: Buffer.from(planted.pem) };
    await page.goto(`${state.cloud_url}/app/settings`);
    await page.goto(state.cloud_url);
    await enterWithKeyFile(page, pem);
    await page.getByText(hostile('site')).first().waitFor();
    await page.goto(`${state.cloud_url}/app/settings`);
    await button(page, 'Sign out').click();
    await page.goto(state.cloud_url);
    await button(page, `Sign in as ${hostile('person')}`).waitFor();
    seen.push(await seeHarmless(page));
    await button(page, `Sign in as ${hostile('person')}`).click();
    await page.getByText(hostile('site')).first().waitFor();
  });

  const values = { site: planted.site_id, org: planted.org_id, device: planted.device_id, secret: planted.secret };
  for (const { name, path } of platformPages(values)) {
    await t.test(`the page ${name} shows them as text`, async () => {
      await walkSettled(page, path);
      seen.push(await seeHarmless(page));
    });
  }

  for (const path of [
    `/app/gateways?gateway=${planted.serial}`,
    `/app/sites/${planted.site_id}/history?view=device`,
    `/app/sites/${planted.site_id}/devices?add`,
    `/app/gateways/claim?site=${planted.site_id}`,
  ]) {
    await t.test(`so does ${path.replace(planted.site_id, ':site').replace(planted.serial, ':serial')}`, async () => {
      await goSettled(page, state.cloud_url + path);
      seen.push(await seeHarmless(page));
    });
  }

  for (const { what, path } of [
    { what: 'log', path: `/app/gateways?gateway=${planted.serial}` },
    { what: 'make', path: `/app/sites/${planted.site_id}/devices/${planted.device_id}` },
  ]) {
    await t.test(`the ${what} that arrives after its page is text`, async () => {
      await page.goto(state.cloud_url + path);
      await page.getByText(hostile(what)).first().waitFor({ state: 'attached' });
      seen.push(await seeHarmless(page));
    });
  }

  await t.test('a hostile address is text', async () => {
    const attack = { site: hostile('a'), org: hostile('b'), device: hostile('c'), secret: hostile('d') };
    const queries = [
      'area',
      'tariff',
      'provider',
      'range',
      'date',
      'from',
      'to',
      'view',
      'der',
      'what',
      'gateway',
      'add',
    ];
    const query = new URLSearchParams(queries.map((name): [string, string] => [name, hostile(name)]));
    const document = async (path: string) => (await fetch(state.cloud_url + path)).text();
    const plain = await document('/');
    for (const path of platformPages(attack).map((named) => `${named.path}?${query.toString()}`)) {
      assert.equal(await document(path), plain);
      await walkTo(page, path);
      await page.getByRole('main').locator('h1, h2, [role=alert]').first().waitFor();
      await seeHarmless(page);
    }
  });

  await t.test('the authorization page shows the name of an application as text', async () => {
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: planted.client_id,
      redirect_uri: planted.redirect_uri,
      scope: 'read:sites',
      state: hostile('state'),
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    });
    await page.goto(`${state.cloud_url}/oauth/authorize?${query.toString()}`);
    await page.getByText(hostile('client')).first().waitFor();
    await seeHarmless(page);
  });

  await goSettled(page, state.gateway_url);
  for (const { name, path } of gatewayPages({ sn: planted.sn })) {
    await t.test(`the page ${name} of the gateway shows them as text`, async () => {
      await walkSettled(page, path);
      seen.push(await seeHarmless(page));
    });
  }

  await t.test('all of them were seen, letter by letter', () => {
    const whats = ['person', 'organization', 'site', 'hardware', 'device', 'manufacturer', 'model', 'make', 'reason'];
    const texts = [...[...whats, 'client', 'log', 'key', 'value', 'claimer'].map(hostile), hostileSerial];
    assert.deepEqual(
      texts.filter((text) => !seen.some((page) => page.includes(text))),
      [],
    );
  });
});
