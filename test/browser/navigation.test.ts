import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { createOrganization } from '#contract/cloud/organizations.ts';
import { createSite } from '#contract/cloud/sites.ts';
import { signInWith } from '../stack/owner.ts';
import { button, heading, link } from './by-role.ts';
import { chromiumMissing } from './chromium.ts';
import { takePicture } from './picture.ts';
import { goSettled, walkSettled } from './settled.ts';
import { sharedHome } from './shared.ts';
import { tabTo } from './tab-to.ts';
import { openVisits, phone } from './visits.ts';

/** The links of the main menu that can be seen; the current one has a star. */
const menu = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`
    [...document.querySelectorAll('.rail a')].filter((a) => a.checkVisibility())
      .map((a) => a.textContent + (a.getAttribute('aria-current') ? '*' : ''))`);

/** Text for programs, not for people: identifiers, hexadecimal numbers, names of fields. */
const cryptic = /\b[a-z]{2,4}-[0-9a-f-]{8,}\b|\b0x[0-9a-f]+\b|\b[0-9a-f]{12,}\b|\b[A-Za-z]+(_[A-Za-z0-9]+)+\b/g;

test('navigation', { skip: chromiumMissing, timeout: 200_000 }, async (t) => {
  const { state } = await sharedHome();
  const visits = await openVisits(t);
  const { api } = await signInWith(state);
  const { cloud_url, site_id } = state;
  const home = `/app/sites/${site_id}`;

  await t.test('a site has five entries, and each page belongs to one', async () => {
    await using visitor = await visits.visit({ baseURL: cloud_url });
    const { page } = visitor;
    await page.goto('/');
    await button(page, 'Open the demo home').click();
    await heading(page, 'Simulated home').waitFor();
    const entries = ['Home', 'Energy', 'Prices', 'Control', 'Devices', 'Settings'];
    for (const [path, current] of [
      [home, 'Home'],
      [`${home}/history`, 'Energy'],
      [`${home}/contract`, 'Energy'],
      [`${home}/prices`, 'Prices'],
      [`${home}/control`, 'Control'],
      [`${home}/devices`, 'Devices'],
      [`${home}/devices/${state.devices[0]!.device_id}`, 'Devices'],
      [`${home}/settings`, 'Settings'],
      ['/app/gateways', 'Settings'],
    ] as const) {
      await walkSettled(page, path);
      assert.deepEqual(
        await menu(page),
        entries.map((name) => (name === current ? `${name}*` : name)),
        path,
      );
    }
  });

  await t.test('every other page is two clicks away', async () => {
    await using visitor = await visits.visit({ baseURL: cloud_url, viewport: phone });
    const { page } = visitor;
    await page.goto('/');
    await button(page, 'Open the demo home').click();
    await heading(page, 'Simulated home').waitFor();
    assert.equal((await menu(page)).length, 5);
    for (const [name, title] of [
      ['Site settings', 'Simulated home: settings'],
      ['Contract', /contract/i],
      ['People and organizations', 'Organizations'],
      ['Gateways', 'Gateways'],
      ['Applications', 'Applications'],
      ['Developer', 'Developer'],
      ['Public map', 'Public map'],
      ['Simulation', 'Simulation'],
      ['Activity log', 'Activity log'],
    ] as const) {
      await link(page, 'Settings').click();
      await link(page, name).click();
      await heading(page, title).first().waitFor();
    }
  });

  await t.test('no page of a home shows identifiers or names of fields', async () => {
    await using visitor = await visits.visit({ baseURL: cloud_url });
    const { page } = visitor;
    await page.goto('/');
    await button(page, 'Open the demo home').click();
    await heading(page, 'Simulated home').waitFor();
    const ends = ['', '/history', '/history?view=device', '/prices', '/control', '/devices', '/contract', '/settings'];
    const devices = state.devices.map(({ device_id }) => `/devices/${device_id}`);
    const others = ['settings', 'profile', 'sites', 'setup', 'organizations', 'integrations'].map(
      (end) => `/app/${end}`,
    );
    for (const path of [...[...ends, '/bill', '/alerts', ...devices].map((end) => home + end), ...others]) {
      await walkSettled(page, path);
      const text = await page.getByRole('main').innerText();
      assert.deepEqual(text.match(cryptic) ?? [], [], path);
    }
    await link(page, 'Settings').click();
    await page.getByText('Details', { exact: true }).click();
    assert.match(await page.getByRole('main').innerText(), /idt-/);
  });

  await t.test('a person with several sites switches between them by keyboard, on the same page', async () => {
    const { id: org_id } = await api.call(createOrganization, { body: { name: 'Family' } });
    const cabin = await api.call(createSite, { body: { org_id, name: 'Cabin by the lake' } });
    await using visitor = await visits.visit({ baseURL: cloud_url, viewport: phone });
    const { page } = visitor;
    await page.goto('/');
    await button(page, 'Open the demo home').click();
    await heading(page, 'Simulated home').waitFor();
    await goSettled(page, `${home}/devices/${state.devices[0]!.device_id}`);
    await tabTo(page, page.locator('summary', { hasText: 'Simulated home' }));
    await page.keyboard.press('Enter');
    await takePicture(page, 'site-switcher');
    await tabTo(page, link(page, 'Cabin by the lake'));
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/app/sites/${cabin.id}/devices`);
    await heading(page, 'No devices yet').waitFor();
    await page.locator('summary', { hasText: 'Cabin by the lake' }).click();
    await link(page, 'Simulated home').waitFor();
    await page.keyboard.press('Escape');
    await link(page, 'Simulated home').waitFor({ state: 'hidden' });
  });
});
