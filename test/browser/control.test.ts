import assert from 'node:assert/strict';
import { test } from 'node:test';
import { composeClaim } from '#contract/claim.ts';
import { provisionDevice } from '#contract/cloud/devices.ts';
import { claimGateway } from '#contract/cloud/gateways.ts';
import { createOrganization } from '#contract/cloud/organizations.ts';
import { createSite } from '#contract/cloud/sites.ts';
import { formatTime } from '#contract/time.ts';
import { p256 } from '../cloud/people.ts';
import { signInWith } from '../stack/owner.ts';
import { button, card, choose } from './by-role.ts';
import { chromiumMissing } from './chromium.ts';
import { takePicture } from './picture.ts';
import { tooWide } from './settled.ts';
import { sharedHome } from './shared.ts';
import { signedIn } from './signed-in.ts';
import { desktop, openVisits, phone } from './visits.ts';

test('the battery is controlled until a time, scheduled, and released', {
  skip: chromiumMissing,
  timeout: 300_000,
}, async (t) => {
  const { state } = await sharedHome();
  const visits = await openVisits(t);
  await using owner = await signedIn(visits, state, { viewport: phone, colorScheme: 'dark' });
  const { page } = owner;
  await page.goto(`${state.cloud_url}/app/sites/${state.site_id}/control`);
  const battery = card(page, 'Battery · Simulated hybrid inverter');
  await page.getByText('No command is active.').waitFor();
  const toneOfReturnAll = () => button(page, 'Return all devices to automatic').getAttribute('class');
  assert.equal(await toneOfReturnAll(), 'quiet');

  await t.test('the slider ends at the rated power of the device', async () => {
    await battery.getByText(/^Maximum \d/).waitFor();
    const slider = battery.getByRole('slider');
    const max = Number(await slider.getAttribute('max'));
    assert.ok(max >= 1000, `${max} W`);
    await battery.getByLabel('Power in watts').fill(String(max + 1));
    await battery.getByRole('alert').waitFor();
    await battery.getByLabel('Power in watts').fill('900');
  });

  await t.test('it is held until 07:00, which every page says', async () => {
    await choose(battery, 'Until 07:00');
    await battery.getByText(/^The battery charges at 900 W until .*07:00\./).waitFor();
    await takePicture(page, 'control-form-phone');
    await button(battery, 'Send command').click();
    const held = page.getByRole('list', { name: 'Controlled now' });
    await held.getByText(/^Charge at 900 W until .*07:00, by you$/).waitFor();
    assert.equal(await toneOfReturnAll(), 'danger');
    await battery.getByText(/^On target: charging/).waitFor();
    await page.reload();
    await held.waitFor();
    await battery.getByRole('timer').waitFor();
    await takePicture(page, 'control-held-phone');
    assert.deepEqual(await tooWide(page), []);
    await page.setViewportSize(desktop);
    await takePicture(page, 'control-held');
    await page.setViewportSize(phone);
    await held.getByRole('button', { name: /^Return to automatic: Battery/ }).click();
    await page.getByText('No command is active.').waitFor();
    assert.equal(await toneOfReturnAll(), 'quiet');
  });

  await t.test('it waits for the cheapest hours, and returning all to automatic cancels that', async () => {
    await choose(battery, 'Cheapest 3 h');
    await button(battery, 'Send command').click();
    await battery.getByText('Scheduled', { exact: true }).waitFor();
    await page.emulateMedia({ colorScheme: 'light' });
    await takePicture(page, 'control-scheduled-phone');
    await button(page, 'Return all devices to automatic').click();
    await page.getByText('No command is active.').waitFor();
    await button(page, 'Return all devices to automatic').click();
    await page.getByText('No command was active.').waitFor();
    assert.equal(await page.getByRole('dialog').count(), 0);
  });

  await t.test('a command to an offline gateway is shown as not delivered', async () => {
    const { api, identityId } = await signInWith(state);
    const { id: org_id } = await api.call(createOrganization, { body: { name: 'Cottage' } });
    const { id: site_id } = await api.call(createSite, { body: { org_id, name: 'Cottage' } });
    const { serial, publicKey: public_key, sign } = p256();
    const timestamp = formatTime(Date.now());
    const message = composeClaim({ claimerId: identityId, nonce: 'n', timestamp, serial });
    const claim = { org_id, gateway_serial: serial, public_key, message, signature: sign(message) };
    await api.call(claimGateway, { body: claim });
    const device = { gateway_serial: serial, site_id, device_type: 'inverter', hardware_id: 'I1', name: 'Inverter' };
    await api.call(provisionDevice, { body: { ...device, ders: [{ name: 'battery', type: 'battery' }] } });
    await page.goto(`${state.cloud_url}/app/sites/${site_id}/control`);
    const part = card(page, 'Battery · Inverter');
    await button(part, 'Send command').click();
    await part
      .getByText(/^The gateway is offline\. The command has no effect, .* expires at \d\d:\d\d:\d\d\.$/)
      .waitFor();
    await part.getByText('Not delivered', { exact: true }).waitFor();
    await part.locator('li').getByText('Not delivered: the gateway is offline').waitFor();
    assert.equal(await part.getByText('Sent to the gateway').count(), 0);
    await takePicture(page, 'control-offline-phone');
  });

  await t.test('the activity log says from when until when', async () => {
    await page.goto(`${state.cloud_url}/app/organizations/${state.org_id}`);
    const log = card(page, 'Activity log');
    await log
      .getByText(/power: 900 W, from: \d+ \w+ \d{4}, \d\d:\d\d, to: \d+ \w+ \d{4}, 07:00/)
      .first()
      .waitFor();
    assert.doesNotMatch((await log.textContent())!, /\d{13}|starts_at|ended_by|kind/);
  });
});
