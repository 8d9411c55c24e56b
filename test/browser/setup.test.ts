import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { createBrowser } from '#cloud/alerts/testing/receivers.ts';
import { freePort } from '../free-port.ts';
import { programOf } from '../journey/program.ts';
import { anyPorts, startUp } from '../stack/up-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { button, card, heading, link } from './by-role.ts';
import { chromiumMissing } from './chromium.ts';
import { takePicture } from './picture.ts';
import { pretendPublicPlatform } from './public-platform.ts';
import { standInForPush } from './push-stand-in.ts';
import { openVisits, phone } from './visits.ts';

const simulated = ['sungrow', 'sdm630', 'goodwe'];

/** Counts what the person does: clicks, and fields that were filled in. */
async function countEffort(context: BrowserContext): Promise<{ clicks: number; fields: Set<string> }> {
  const effort = { clicks: 0, fields: new Set<string>() };
  await context.exposeFunction('noticeEffort', (kind: string, field: string) => {
    if (kind === 'click') effort.clicks++;
    else effort.fields.add(field);
  });
  await context.addInitScript(`
    addEventListener('click', () => noticeEffort('click', ''), true);
    addEventListener('input', ({ target }) => noticeEffort('input', target.id), true);
  `);
  return effort;
}

const at = (page: Page, step: string) => page.locator('[aria-current="step"]', { hasText: step });

test('setting up a home', { skip: chromiumMissing, timeout: 300_000 }, async (t) => {
  const sim = programOf(
    ['sim', '--only', simulated.join(','), '--port-base', String(await freePort())],
    {},
    'Press Ctrl-C to stop',
  );
  t.after(() => sim.kill());
  const said = await sim.start();
  const places = simulated.map((name) => `127.0.0.1:${new RegExp(`^${name}\\s.*:(\\d+)\\s`, 'm').exec(said)![1]}`);
  const env = { ...anyPorts, GATEWAY_HOST: '127.0.0.1', MDNS: 'false', LOG_LEVEL: 'warn' };
  const { state } = await startUp(t, temporaryFolder(t), ['--without-simulation'], {
    ...env,
    GATEWAY_SCAN: places.join(','),
  });
  const visits = await openVisits(t);
  await using visitor = await visits.visit({
    baseURL: state.cloud_url,
    viewport: phone,
    serviceWorkers: 'allow',
    permissions: ['notifications'],
  });
  const { page, context } = visitor;
  await standInForPush(context, createBrowser('https://push.example.org/phone').subscription);

  await t.test('the sign-in page of a platform without a simulation makes no request that fails', async () => {
    await using other = await visits.visit();
    const failed: string[] = [];
    other.page.on('response', (answer) => void (answer.ok() || failed.push(answer.url())));
    await other.page.goto(`${state.cloud_url}/app`, { waitUntil: 'networkidle' });
    await heading(other.page, 'New here?').waitFor();
    assert.deepEqual(failed, []);
    assert.equal(await other.page.getByText('Simulated data').count(), 0);
  });

  await t.test('the page of the gateway hands its signature over, which waits for a click', async () => {
    await using other = await visits.visit();
    const its = other.page;
    await its.goto(`${state.gateway_url}/app/platform`);
    await link(card(its, 'Connect to your platform'), /^Open localhost/).click();
    await button(its, 'Create key and sign in').click();
    await heading(its, 'Connect your gateway').waitFor();
    await its.goto(`${state.cloud_url}/app/settings`);
    const identity = (await card(its, 'Your account').locator('code').textContent())!;
    await its.goto(`${state.gateway_url}/app/platform#sign=${identity}`);
    await button(its, 'Sign and return').click();
    await card(its, 'Your gateway has signed').waitFor();
    assert.equal(new URL(its.url()).hash, '');
    await takePicture(its, 'setup-handed-over');
    await its.goto(`${state.cloud_url}/app/gateways`);
    await heading(its, 'No gateways yet').waitFor();
  });

  await t.test('the page of the gateway prints the code that connects it, and nothing else', async () => {
    await using other = await visits.visit();
    const its = other.page;
    await pretendPublicPlatform(its, state.gateway_url);
    await its.goto(`${state.gateway_url}/app/platform`);
    await its.getByRole('img', { name: 'Link that connects this gateway, as a QR code' }).waitFor();
    await its.emulateMedia({ media: 'print' });
    assert.equal(await its.locator('main .card:visible').count(), 1);
    assert.equal(await its.locator('main :is(button, .button):visible').count(), 0);
    await takePicture(its, 'paper-gateway-code');
  });

  await t.test('from an empty account to the first value of three devices', async () => {
    const effort = await countEffort(context);
    const began = performance.now();
    await page.goto('/');
    await button(page, 'Create key and sign in').click();
    await at(page, 'Gateway').waitFor();
    await takePicture(page, 'setup-gateway');
    await button(page, /^Connect/)
      .first()
      .click();
    await at(page, 'Your home').waitFor();
    await page.getByText('✓ Verified').waitFor();
    await page.reload(); // the next steps follow from what exists
    await at(page, 'Your home').waitFor();
    await takePicture(page, 'setup-home');
    await page.getByLabel('Name', { exact: true }).fill('Our house');
    await button(page, 'Continue').click();
    await at(page, 'Devices').waitFor();
    await takePicture(page, 'setup-searching');
    await button(page, 'Add 3 devices').and(page.locator(':enabled')).waitFor();
    await takePicture(page, 'setup-devices');
    await button(page, 'Add 3 devices').click();
    await at(page, 'Live values').waitFor();
    await takePicture(page, 'setup-waiting');
    await heading(page, 'Your home is live').waitFor();
    const seconds = (performance.now() - began) / 1000;
    await button(page, 'Notify this browser').waitFor();
    await takePicture(page, 'setup-live');
    await link(page, 'Open your home').click();
    await heading(page, 'Our house').waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    await takePicture(page, 'setup-home-page');
    t.diagnostic(`${effort.clicks} clicks, ${effort.fields.size} fields, ${seconds.toFixed(1)} s`);
    assert.ok(effort.clicks <= 6, `${effort.clicks} clicks`);
    assert.ok(effort.fields.size <= 2, `${[...effort.fields].join()} filled in`);
    assert.ok(seconds <= 60, `${seconds} s`);
  });

  await t.test('the set-up offers alerts in this browser, with one click', async () => {
    await page.goBack();
    await button(page, 'Notify this browser').click();
    await page.getByText(/^This browser is notified/).waitFor();
    await page.goto('/app/settings');
    await link(page, 'Alerts').click();
    await page.getByText('this browser', { exact: true }).waitFor();
    assert.ok(await page.getByLabel('Send me the alerts of this site').isChecked());
  });

  await t.test('what the search does not find is added by hand, and a wrong serial number is explained', async () => {
    await link(page, 'Devices').first().click();
    await link(page, 'Add device').click();
    await page.getByText('No new devices found.').waitFor();
    await link(page, 'Add by hand').click();
    await page.getByText('Enter manually', { exact: true }).click();
    await page.getByLabel('Hardware ID').fill('MISSPELT');
    await button(page, 'Add device').click();
    await link(page, 'Find out why').click();
    await page.getByText('The gateway reads no device with the serial number MISSPELT.').waitFor();
    await takePicture(page, 'setup-wrong-serial');
  });

  await t.test('without a position, the home has the time zone of the browser', async () => {
    await page.goto('/app/sites');
    await page.getByText('Europe/Stockholm', { exact: true }).waitFor();
  });

  await t.test('the activity log says in words what was done', async () => {
    await page.goto('/app/settings');
    await link(page, 'Activity log').click();
    const log = card(page, 'Activity log');
    await log
      .getByText(/serial number: .*, sends: Solar, Battery$/)
      .first()
      .waitFor();
    await log
      .getByText(/type: Modbus TCP, product: sungrow, address: /)
      .first()
      .waitFor();
    assert.doesNotMatch((await log.textContent())!, /\[object|modbus_|unit_id|idt-/);
  });
});
