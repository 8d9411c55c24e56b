import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { encode } from 'uqr';
import { createSite } from '#contract/cloud/sites.ts';
import { freePort } from '../free-port.ts';
import { programOf } from '../journey/program.ts';
import { signInWith } from '../stack/owner.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { until } from '../until.ts';
import { button, card, choose, dialog, heading, link } from './by-role.ts';
import { chromiumMissing } from './chromium.ts';
import { takePicture } from './picture.ts';
import { pretendPublicPlatform, publicPlatform } from './public-platform.ts';
import { sharedHome } from './shared.ts';
import { signedIn } from './signed-in.ts';
import { openVisits } from './visits.ts';

const localToken = 'a token for the tests';
const inverter = 'SIMSUNGROW0001';

/** Answers the question of a guarded gateway. */
async function giveToken(page: Page, token: string): Promise<void> {
  await page.getByLabel('Local token', { exact: true }).fill(token);
  await button(page, 'Continue').click();
}

test('a second gateway', { skip: chromiumMissing, timeout: 300_000 }, async (t) => {
  const { state } = await sharedHome();
  const port = await freePort();
  const sim = programOf(
    ['sim', '--only', 'sungrow,sdm630', '--port-base', String(await freePort())],
    {},
    'Press Ctrl-C to stop',
  );
  const second = programOf(
    ['gateway', '--data', temporaryFolder(t)],
    {
      GATEWAY_HOST: '127.0.0.1',
      GATEWAY_PORT: String(port),
      CLOUD_URL: state.cloud_url,
      UPLINK_URL: state.mqtt_url,
      LOCAL_API: 'guarded',
      LOCAL_TOKEN: localToken,
      MDNS: 'off',
    },
    'gateway started',
  );
  t.after(() => Promise.all([sim.kill(), second.kill()]));
  const [said] = await Promise.all([sim.start(), second.start()]);
  const portOf = (name: string): string => new RegExp(`^${name}\\s.*:(\\d+)\\s`, 'm').exec(said)![1]!;
  const { api } = await signInWith(state);
  const { id: barn } = await api.call(createSite, { body: { org_id: state.org_id, name: 'Barn' } });
  const visits = await openVisits(t);
  const baseURL = `http://localhost:${port}`;
  await using visitor = await visits.visit({ baseURL });
  const { page } = visitor;

  await t.test('shows the link that connects it as a QR code, on paper too', async () => {
    await pretendPublicPlatform(page, baseURL);
    await page.goto('/app/platform');
    const connect = card(page, 'Connect to your platform');
    const code = connect.getByRole('img', { name: 'Link that connects this gateway, as a QR code' });
    await code.locator('path').waitFor();
    const serial = (await connect.locator('.claim-code code').textContent())!;
    const { gateway_info } = await (await page.request.get('/api/system')).json();
    const host = gateway_info.network.localIP ?? `zap-${serial}.local`;
    const at = encodeURIComponent(`http://${host}:${port}`);
    const { data } = encode(`${publicPlatform}/app/setup?at=${at}&gateway=${serial}`, { ecc: 'M', border: 4 });
    const cells = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
    await until(
      () => code.locator('path').getAttribute('d'),
      (drawn) => drawn === cells.join(''),
    );
    await takePicture(page, 'gateway-claim-code');
    await page.emulateMedia({ media: 'print' });
    assert.ok(await code.isVisible());
    assert.equal(await button(connect, 'Print the code').isVisible(), false);
    assert.equal(await card(page, 'MQTT brokers').isVisible(), false);
    await takePicture(page, 'gateway-claim-code-printed');
    await page.emulateMedia({ media: 'screen' });
    await page.unrouteAll({ behavior: 'wait' });
  });

  await t.test('detects a device and adds it', async () => {
    await page.goto('/');
    await heading(page, 'No devices yet').waitFor();
    await link(page, 'Add device').click();
    const find = card(page, 'Detect a device');
    await find.getByLabel('Address').fill('127.0.0.1');
    await find.getByLabel('Port').fill(portOf('sungrow'));
    await button(find, 'Detect').click();
    await giveToken(page, 'a token that is wrong');
    await page.getByText('The gateway does not accept this token.').waitFor();
    await giveToken(page, localToken);
    await find.getByText('Certain', { exact: true }).waitFor();
    await button(find, 'Add Sungrow SH hybrid / SG string').click();
    await page.getByText(`${inverter} was added.`).waitFor();
    await link(page, 'View values').click();
    await card(page, 'Battery')
      .getByText(/W, (charging|discharging|idle)$/)
      .waitFor();
    await link(page, 'Settings').click();
    await page.getByRole('switch', { name: 'Battery' }).click();
    await until(
      () => page.getByRole('switch', { name: 'Battery' }).isChecked(),
      (isOn) => isOn,
    );
  });

  await t.test('recognises a device that it has added by its address', async () => {
    await page.goto('/app/add');
    const find = card(page, 'Detect a device');
    await find.getByLabel('Address').fill('127.0.0.1');
    await find.getByLabel('Port').fill(portOf('sungrow'));
    await button(find, 'Detect').click();
    await link(find, `Already added as ${inverter}`).waitFor();
    assert.equal(await find.getByRole('button', { name: /^Add / }).count(), 0);
    await find.getByLabel('Port').fill(portOf('sdm630'));
    await button(find, 'Detect').click();
    await button(find, 'Add Eastron SDM630 meter').waitFor();
  });

  await t.test('adds a meter manually, with the form that the gateway describes', async () => {
    await page.goto('/app/add');
    const hand = card(page, 'Add manually');
    await hand.getByLabel('Address').fill('127.0.0.1');
    await hand.getByLabel('Port').fill(portOf('sdm630'));
    await hand.getByLabel('Product').selectOption({ label: 'Eastron SDM630 meter' });
    await button(hand, 'Add').click();
    await page.getByText(/was added\.$/).waitFor();
    await page.goto('/app/devices');
    await heading(page, 'Eastron SDM630 meter').waitFor();
    await page.goto('/');
    await page.getByRole('region', { name: /^Power flow of the house/ }).waitFor();
  });

  await t.test('reads a register, and writes one after a question', async () => {
    await page.goto(`/app/devices/${inverter}/registers`);
    const read = card(page, 'Read registers');
    await read.getByLabel('Address').fill('13050');
    await read.getByLabel('Table').selectOption({ label: 'Holding registers (function 3)' });
    await button(read, 'Read').click();
    await read.getByText('Read from 13050').waitFor();
    const write = card(page, 'Write a register');
    await write.getByLabel('Holding register address').fill('13050');
    await write.getByLabel('Value', { exact: true }).fill('0x00CC');
    await button(write, 'Write').click();
    await dialog(page, `Write 0x00CC to register 13050 of ${inverter}?`).getByRole('button', { name: 'Write' }).click();
    await write.getByText(/was written to 13050\.$/).waitFor();
    await button(read, 'Read').click();
    await read.getByText(/\b204\b/).waitFor();
  });

  await t.test('commands the battery for a while, and returns it to automatic', async () => {
    await page.goto('/app/control');
    const its = card(page, `Sungrow SH hybrid / SG string ${inverter}`);
    await its.getByText('Control the battery').click();
    await its.getByLabel('Power (W)', { exact: true }).fill('500');
    await button(its, 'Send command').click();
    await its.getByText('The battery charges at 500 W').waitFor();
    const ends = its.getByText(/^Ends in \d:\d\d$/);
    const first = await ends.textContent();
    await until(
      () => ends.textContent(),
      (text) => text !== first,
    );
    await button(page, 'Return all devices to automatic').waitFor();
    await button(its, 'Return to automatic').click();
    await its.getByText('The device runs in automatic.').waitFor();
    await page.route('**/api/status', (route) => route.fulfill({ status: 500 }));
    await page.reload();
    await page.getByRole('alert').waitFor();
    await its.getByText('Control the battery').waitFor();
    assert.equal(await its.getByText('The device runs in automatic.').count(), 0);
    await page.unrouteAll({ behavior: 'wait' });
  });

  await t.test('is claimed by a page of the platform that asks it', async () => {
    await using owner = await signedIn(visits, state);
    await owner.page.goto(`${state.cloud_url}/app/gateways/claim?site=${barn}`);
    const source = card(owner.page, '2. Get the signature');
    await source.getByLabel('Gateway address').fill(baseURL);
    await button(source, 'Request signature').click();
    await source.getByLabel('Local token').fill(localToken);
    await button(source, 'Request signature').click();
    await source.getByText(/has signed\.$/).waitFor();
    const checks = card(owner.page, '3. Check the signature');
    await checks.getByRole('img', { name: 'Passed' }).nth(5).waitFor();
    assert.equal(await checks.getByRole('img', { name: 'Failed' }).count(), 0);
    await button(owner.page, 'Claim for Simulated homes').click();
    await card(owner.page, 'Gateway claimed').waitFor();

    await page.goto('/app/system');
    await button(page, 'Restart').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Restart' }).click();
    await page.getByText('The gateway is back online.').waitFor({ timeout: 30_000 });
    await page.goto('/app/platform');
    await card(page, 'Connection to the platform').getByText('Connected', { exact: true }).waitFor();

    await link(owner.page, 'Add devices').click();
    await owner.page.getByLabel('Gateway’s local address').fill(baseURL);
    await button(owner.page, 'Find devices').click();
    const found = owner.page.getByRole('listitem').filter({ hasText: inverter });
    await found.getByLabel('Name').fill('Inverter of the barn');
    await button(found, 'Add device').click();
    await owner.page.getByRole('row', { name: /^Inverter of the barn .*Battery [\d.]+ k?W .*Live/ }).waitFor();
    await owner.page.goto(`${state.cloud_url}/app/sites/${barn}`);
    await card(owner.page, 'Electricity price')
      .getByText(/^Set the price area/)
      .waitFor();
  });

  await t.test('is claimed by what it signed on its own page, and goes to another organization', async () => {
    await using guest = await visits.visit();
    await guest.page.goto(state.cloud_url);
    await button(guest.page, 'Create key and sign in').click();
    await heading(guest.page, 'Get started').waitFor();
    await guest.page.goto(`${state.cloud_url}/app/gateways/claim`);
    await button(card(guest.page, 'Create an organization first'), 'Create organization').click();
    const source = card(guest.page, '2. Get the signature');
    await choose(source, 'Enter manually');
    const identity = (await source.locator('p code').textContent())!;

    await page.goto('/app/platform');
    const claim = card(page, 'Claim this gateway');
    await claim.getByLabel('Your identity ID').fill(identity);
    await button(claim, 'Sign').click();
    await claim.getByText(`Signed for ${identity}.`).waitFor();
    const [serial, key, message, signature] = (await claim.locator('code').allTextContents()) as [
      string,
      string,
      string,
      string,
    ];
    await card(page, 'Signature log').getByText(message).waitFor();

    for (const [label, text] of [
      ['Serial number (serialNumber)', serial],
      ['Public key (publicKey)', key],
      ['Message (message)', message.replace(identity, 'idt-somebody')],
      ['Signature (sign)', signature],
    ] as const) {
      await source.getByLabel(label).fill(text);
    }
    await button(source, 'Check').click();
    const checks = card(guest.page, '3. Check the signature');
    await checks.getByText(/^Signed for someone else/).waitFor();
    assert.equal(await button(guest.page, 'Claim for Home').isDisabled(), true);
    await source.getByLabel('Message (message)').fill(message);
    await button(source, 'Check').click();
    await button(guest.page, 'Claim for Home').click();
    await card(guest.page, 'Gateway claimed')
      .getByText(/^The gateway was moved from another organization/)
      .waitFor();
  });

  await t.test('leaves a device behind that was heard, and says so', async () => {
    await using owner = await signedIn(visits, state);
    await owner.page.goto(`${state.cloud_url}/app/sites/${barn}/devices`);
    await link(owner.page, 'Inverter of the barn').click();
    const battery = card(owner.page, 'Battery');
    await battery.getByText(/^No new data until the device is added again\./).waitFor();
    assert.equal(await battery.getByText('never').count(), 0);
  });
});
