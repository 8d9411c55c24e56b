import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect } from '#contract/client/connect.ts';
import { makeKey } from '#contract/client/key.ts';
import { createClient } from '#contract/client.ts';
import { createCommand, releaseSite } from '#contract/cloud/commands.ts';
import { acceptInvitation, createInvitation } from '#contract/cloud/invitations.ts';
import { removeMember, updateMember } from '#contract/cloud/organizations.ts';
import { updateSite } from '#contract/cloud/sites.ts';
import { tariffRoutes } from '#contract/price/tariffs.ts';
import { signInWith } from '../stack/owner.ts';
import { until } from '../until.ts';
import { button, card, heading, link } from './by-role.ts';
import { chromiumMissing } from './chromium.ts';
import { sharedHome } from './shared.ts';
import { signedIn } from './signed-in.ts';
import { openVisits } from './visits.ts';

test('mishaps', { skip: chromiumMissing, timeout: 300_000 }, async (t) => {
  const { state } = await sharedHome();
  const visits = await openVisits(t);
  const owner = await signedIn(visits, state);
  const { api } = await signInWith(state);
  const prices = createClient({ baseUrl: state.cloud_url });
  const home = `${state.cloud_url}/app/sites/${state.site_id}`;
  const setTariff = (tariff_id: string | null) =>
    api.call(updateSite, { params: { site_id: state.site_id }, body: { tariff_id } });

  await t.test('an expired tariff is used with its last known prices, and pages say so', async () => {
    const { providers } = await prices.call(tariffRoutes.providers);
    const { id } = providers.find(({ out_of_date }) => out_of_date)!;
    const { power_tariffs } = await prices.call(tariffRoutes.provider, { params: { provider_id: id } });
    await setTariff(power_tariffs[0]!.id);
    await using visitor = await owner.tab();
    const { page } = visitor;
    await page.goto(home);
    const now = card(page, 'Electricity price');
    await now.getByText(/^The grid tariff’s price list expired on/).waitFor();
    await now.getByText(/^SEK\s[\d.]+$/).waitFor();
    await page.goto(`${home}/history?range=month`);
    const totals = card(page, 'Totals');
    await totals.getByText(/^The grid tariff’s price list expired on/).waitFor();
    await totals.getByText('Net cost', { exact: true }).waitFor();
    await setTariff(null);
  });

  await t.test('a grid operator that is chosen early stays chosen', async () => {
    const { providers } = await prices.call(tariffRoutes.providers);
    const [own, other] = providers.map(({ id }) => id) as [string, string];
    const { power_tariffs } = await prices.call(tariffRoutes.provider, { params: { provider_id: own } });
    await setTariff(power_tariffs[0]!.id);
    await using visitor = await owner.tab();
    const { page } = visitor;
    const late = Promise.withResolvers<void>();
    await page.route('**/price/tariffs/tariff/*', async (route) => {
      await late.promise;
      await route.continue();
    });
    await page.goto(`${home}/settings`);
    const operator = page.getByLabel('Grid operator');
    await operator.locator(`option[value="${other}"]`).waitFor({ state: 'attached' });
    await operator.selectOption(other);
    const answered = page.waitForResponse(`**/price/tariffs/${own}`);
    late.resolve();
    await answered;
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
    assert.equal(await operator.inputValue(), other);
    await setTariff(null);
  });

  await t.test('the values of one device are never shown as those of another', async () => {
    await using visitor = await owner.tab();
    const { page } = visitor;
    await page.goto(`${home}/history?view=device`);
    await page.getByRole('application', { name: /^Power, Simulated hybrid inverter/ }).waitFor();
    await page.route('**/ders/*/telemetry?*', (route) => route.fulfill({ status: 500 }));
    await page.getByLabel('Device', { exact: true }).selectOption({ label: 'Simulated grid meter, meter' });
    await page.getByRole('alert').waitFor();
    assert.equal(await page.getByRole('application').count(), 0);
  });

  await t.test('the sums of one day are never shown as those of another', async () => {
    await using visitor = await owner.tab();
    const { page } = visitor;
    await page.goto(`${home}/history`);
    await card(page, 'Totals').waitFor();
    await page.route('**/sites/*/energy?*', (route) => route.fulfill({ status: 500 }));
    await button(page, 'Previous period').click();
    await page.getByRole('alert').waitFor();
    assert.equal(await card(page, 'Totals').count(), 0);
  });

  await t.test('a page that cannot be loaded says so, and does not affect the next', async () => {
    await using visitor = await signedIn(visits, state);
    const { page } = visitor;
    await page.route(/\/assets\/(history|claim)-page/, (route) => route.abort());
    await link(page, 'Simulated home').click();
    await link(page, 'Energy').click();
    await page.getByRole('alert').getByText('This page could not be loaded').waitFor();
    const late = Promise.withResolvers<void>();
    await page.route('**/assets/gateways-page*', async (route) => {
      await late.promise;
      await route.continue();
    });
    await link(page, 'Settings').click();
    await link(page, 'Gateways').click();
    await page.getByRole('status', { name: 'Loading' }).waitFor();
    assert.equal(await page.getByRole('alert').count(), 0);
    late.resolve();
    await heading(page, 'Gateways').waitFor();
  });

  await t.test('input for the next command survives the end of the current one', async () => {
    await using visitor = await owner.tab();
    const { page } = visitor;
    const { ders } = state.devices.find(({ sn }) => sn === 'SIMSUNGROW0001')!;
    const der_id = ders.find(({ type }) => type === 'battery')!.id;
    await api.call(createCommand, { params: { der_id }, body: { power_w: 500, ttl_s: 300 } });
    await page.goto(`${home}/control`);
    const battery = card(page, 'Battery · Simulated hybrid inverter');
    await battery.getByRole('timer').waitFor();
    await battery.getByText('Send another command').click();
    await battery.getByLabel('Power in watts').fill('777');
    await api.call(releaseSite, { params: { site_id: state.site_id } });
    await page.getByText('No command is active. Devices run automatically or follow the plan.').waitFor();
    assert.equal(await battery.getByLabel('Power in watts').inputValue(), '777');
  });

  await t.test('held devices are not shown until they are known', async () => {
    await using visitor = await owner.tab();
    const { page } = visitor;
    await page.route('**/ders/*/commands?*', (route) => route.fulfill({ status: 500 }));
    await page.goto(`${home}/control`);
    await page.getByRole('alert').waitFor();
    await button(page, 'Return all devices to automatic').waitFor();
    assert.equal(
      await page.getByText('No command is active. Devices run automatically or follow the plan.').count(),
      0,
    );
  });

  await t.test('a gateway that is polled every few seconds is shown as unreachable', async () => {
    await using visitor = await owner.tab();
    const { page } = visitor;
    const { gateway_serial } = state;
    await page.route(`**/gateways/${gateway_serial}`, (route) =>
      route.fulfill({ status: 503, headers: { 'retry-after': '2' } }),
    );
    await page.goto(`${state.cloud_url}/app/gateways?gateway=${gateway_serial}`);
    await page.getByRole('alert').waitFor();
  });

  await t.test('the role of a member is the one that was read last', async () => {
    const guest = await connect(state.cloud_url, { key: (await makeKey()).key });
    const params = { org_id: state.org_id, identity_id: guest.identityId };
    const { url } = await api.call(createInvitation, { params, body: { role: 'viewer' } });
    await guest.call(acceptInvitation, { params: { secret: url.split('/').at(-1)! } });
    await using visitor = await owner.tab();
    const { page } = visitor;
    await page.goto(`${state.cloud_url}/app/organizations/${state.org_id}`);
    const role = page.getByLabel(`Role of No name (${guest.identityId.slice(-4)})`);
    assert.equal(await role.inputValue(), 'viewer');
    await api.call(updateMember, { params, body: { role: 'operator' } });
    await button(page, 'Rename').click();
    await until(
      () => role.inputValue(),
      (value) => value === 'operator',
    );
    await role.focus();
    const readAgain = page.waitForResponse(`**/organizations/${state.org_id}/members?*`);
    await role.selectOption('admin');
    await readAgain;
    assert.equal(await role.inputValue(), 'admin');
    assert.equal(await role.evaluate((select) => select.matches(':focus')), true);
    await page.route('**/members/*', (route) => route.fulfill({ status: 500 }));
    await role.selectOption('viewer');
    await page.getByRole('alert').waitFor();
    assert.equal(await role.inputValue(), 'admin');
    await api.call(removeMember, { params });
  });

  await t.test('a link inside a page takes the focus to the next page', async () => {
    await using visitor = await owner.tab();
    const { page } = visitor;
    await page.goto(`${state.cloud_url}/app/sites`);
    await link(page, 'Simulated home').focus();
    await page.keyboard.press('Enter');
    await heading(page, 'Simulated home').waitFor();
    await until(
      () => page.evaluate('document.activeElement.id'),
      (id) => id === 'content',
    );
  });

  await t.test('a simulation that could not be reset shows the reason', async () => {
    await using visitor = await owner.tab();
    const { page } = visitor;
    await page.route('**/simulation/reset', (route) => route.abort());
    await page.goto(`${state.cloud_url}/app/street`);
    await button(page, 'Reset simulation').click();
    await page.getByRole('alert').waitFor();
  });

  await t.test('a viewer is offered no changes, and can create a site of their own', async () => {
    await using visitor = await visits.visit();
    const { page } = visitor;
    const params = { org_id: state.org_id };
    const { url } = await api.call(createInvitation, { params, body: { role: 'viewer' } });
    await page.goto(url);
    await button(page, 'Create key and sign in').click();
    await button(page, 'Accept').click();
    await page.waitForURL(`**/app/sites/${state.site_id}`);

    await page.goto(`${home}/prices?area=SE4`);
    await button(page, 'Back to the site’s settings').waitFor();
    assert.equal(await button(page, 'Save for this site').count(), 0);
    await page.goto(`${state.cloud_url}/app/sites`);
    await page.getByLabel('Site name').fill('Cabin');
    await button(page, 'Create site').click();
    await heading(page, 'Cabin').waitFor();
  });
});
