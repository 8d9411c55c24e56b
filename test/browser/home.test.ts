import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator } from 'playwright-core';
import { systemClock } from '#lib/clock.ts';
import { startCarbonPublishers } from '../price/carbon-publishers.ts';
import { anyPorts, startUp } from '../stack/up-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { until } from '../until.ts';
import { testAlerts } from './alerts.ts';
import { button, card, cell, choose, dialog, heading, link } from './by-role.ts';
import { chromiumMissing } from './chromium.ts';
import { testHistory } from './history.ts';
import { takePicture } from './picture.ts';
import { tooWide, walkSettled } from './settled.ts';
import { signedIn } from './signed-in.ts';
import { tabTo } from './tab-to.ts';
import { openVisits } from './visits.ts';

const secondsLeft = async (timer: Locator): Promise<number> => {
  const [, minutes, seconds] = /(\d+):(\d\d)/.exec((await timer.textContent())!)!;
  return Number(minutes) * 60 + Number(seconds);
};

test('the pages of a home', { skip: chromiumMissing, timeout: 300_000 }, async (t) => {
  const publishers = await startCarbonPublishers({ clock: systemClock });
  t.after(() => publishers[Symbol.asyncDispose]());
  const { state } = await startUp(t, temporaryFolder(t), ['--houses', '1'], { ...anyPorts, ...publishers.env });
  const visits = await openVisits(t);
  const owner = await signedIn(visits, state);
  const home = `${state.cloud_url}/app/sites/${state.site_id}`;
  const battery = 'Battery · Simulated hybrid inverter';

  await testHistory(t, owner, state);

  await testAlerts(t, owner, home);

  await t.test('everybody may look at prices, bar by bar', async () => {
    await using visitor = await visits.visit();
    const { page } = visitor;
    await page.goto(`${state.cloud_url}/app/prices?area=SE3`);
    const today = page.getByRole('listbox', { name: /^Prices, Today/ });
    await today.getByRole('option').nth(23).waitFor();
    await page.getByText('Simulated prices', { exact: true }).first().waitFor();
    const receipt = page.getByRole('region', { name: /^Price breakdown/ });
    await today.focus();
    for (const [key, hour] of [
      ['End', '23:00–00:00'],
      ['Home', '00:00–01:00'],
    ] as const) {
      await page.keyboard.press(key);
      await receipt.getByRole('heading', { name: hour }).waitFor();
    }
    const amounts = (await receipt.locator('td').allTextContents()).map((text) => Number(/[\d.]+/.exec(text)![0]));
    const total = amounts.pop()!;
    const sum = amounts.reduce((so, amount) => so + amount, 0);
    assert.ok(Math.abs(sum - total) < 0.001, `${sum} and ${total}`);
    await choose(page, '15 min');
    await today.getByRole('option').nth(95).waitFor();
    await page.getByLabel('Price area').selectOption('SE4');
    await page.waitForURL(/area=SE4/);
  });

  await t.test('a chosen area becomes that of the site on request', async () => {
    await using visitor = await owner.tab();
    const { page } = visitor;
    await page.goto(`${home}/prices`);
    await page.getByLabel('Price area').selectOption('SE4');
    await button(page, 'Save for this site').click();
    await button(page, 'Save for this site').waitFor({ state: 'detached' });
    await page.goto(`${home}/prices`);
    await until(
      () => page.getByLabel('Price area').inputValue(),
      (area) => area === 'SE4',
    );
  });

  await t.test('a battery is commanded, counts down, follows, and is released', async () => {
    await using visitor = await owner.tab();
    const { page } = visitor;
    await page.goto(`${home}/control`);
    const its = card(page, battery);
    await choose(its, 'Charge');
    await its.getByLabel('Power in watts').fill('900');
    await choose(its, '5 min');
    await its.getByText(/^The battery charges at 900 W until \d\d:\d\d \(5 minutes\)/).waitFor();
    await button(its, 'Send command').click();
    const timer = its.getByRole('timer');
    await timer.waitFor();
    await its.getByText('Applied and confirmed by the device').first().waitFor();
    await its.getByText(/^On target: charging/).waitFor();
    const left = await secondsLeft(timer);
    assert.ok(left > 200 && left <= 300, `${left} s left`);
    await until(
      () => secondsLeft(timer),
      (now) => now < left,
    );
    await page.getByText('1 device is controlled by a command.').waitFor();
    await button(its, 'Return to automatic').click();
    await timer.waitFor({ state: 'detached' });
    await page.getByText('No command is active. Devices run automatically or follow the plan.').waitFor();
    await card(page, 'Recent commands').getByText('Stopped early').waitFor();
  });

  await t.test('all devices are released at once, and a refusal is shown with its reason', async () => {
    await using visitor = await owner.tab();
    const { page } = visitor;
    await page.goto(`${home}/control`);
    const [sun, garage] = ['hybrid', 'garage'].map((which) => card(page, `Solar · Simulated ${which} inverter`)) as [
      Locator,
      Locator,
    ];
    const isSet = 'Applied and confirmed by the device';
    await button(card(page, battery), 'Send command').click();
    await card(page, battery).getByText(isSet).first().waitFor(); // until then its card grows, and moves the next away
    await sun.getByText('Control', { exact: true }).click();
    await button(sun, 'Send command').click();
    await sun.getByText(isSet).first().waitFor();
    await garage.getByText('Control', { exact: true }).click();
    await button(garage, 'Send command').click();
    await garage.getByText(/Failed\. Reason: Sungrow string inverters cannot be limited\./).waitFor();
    await page.getByText('2 devices are controlled by commands.').waitFor();
    await button(page, 'Return all devices to automatic').click();
    await page.getByText('No command is active. Devices run automatically or follow the plan.').waitFor();
    await page
      .getByText(/inverter is back in automatic/)
      .first()
      .waitFor();
  });

  await t.test('the keyboard alone is enough to sign in, command the battery and release it', async () => {
    await using visitor = await visits.visit();
    const { page } = visitor;
    await page.goto(state.cloud_url);
    await tabTo(page, button(page, 'Open the demo home'));
    await page.keyboard.press('Enter');
    await heading(page, 'Simulated home').waitFor();
    await tabTo(page, link(page, 'Control').first());
    await page.keyboard.press('Enter');
    const its = card(page, battery);
    await its.waitFor();
    await tabTo(page, its.getByRole('radio', { name: 'Charge', exact: true }));
    await page.keyboard.press('ArrowRight');
    await tabTo(page, its.getByLabel('Power in watts'));
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('700');
    await tabTo(page, its.getByRole('radio', { name: '15 min' }));
    await page.keyboard.press('ArrowLeft');
    await its.getByText(/^The battery discharges at 700 W until .* \(5 minutes\)/).waitFor();
    await tabTo(page, button(its, 'Send command'));
    await page.keyboard.press('Enter');
    await its.getByRole('timer').waitFor();
    const focused = page.locator(':focus');
    await its.getByRole('group', { name: 'Controlled' }).and(focused).waitFor();
    await its.getByText('Applied and confirmed by the device').first().waitFor();
    await tabTo(page, button(its, 'Return to automatic'));
    await page.keyboard.press('Enter');
    await its.getByRole('timer').waitFor({ state: 'detached' });
    await its.getByRole('group', { name: 'Automatic' }).and(focused).waitFor();
  });

  await t.test('a device is renamed, and its live values arrive', async () => {
    await using visitor = await owner.tab();
    const { page } = visitor;
    await page.goto(`${home}/devices`);
    await button(page, 'Rename Simulated sub-meter').click();
    await page.getByRole('dialog').getByRole('textbox').fill('Cellar');
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('row', { name: /^Cellar .*just now Live/ }).waitFor();
    await link(page, 'Cellar').click();
    await heading(page, 'Cellar').waitFor();
    await card(page, 'Load')
      .getByText(/^\d+ W, using$/)
      .first()
      .waitFor();
  });

  await t.test('a site is created, located and deleted', async () => {
    const here = { geolocation: { latitude: 57.7, longitude: 11.97 }, permissions: ['geolocation'] };
    await using visitor = await signedIn(visits, state, here);
    const { page } = visitor;
    await page.getByLabel('Site name').fill('Cabin');
    await button(page, 'Create site').click();
    await heading(page, 'Cabin').waitFor();
    await page.goto(`${page.url()}/settings`);
    await page.getByLabel('Main fuse (A)').fill('16,5');
    await button(page, 'Use my location').click();
    await until(
      () => page.getByLabel('Latitude (°N)').inputValue(),
      (text) => text === '57.7',
    );
    await button(page, 'Save settings').click();
    await page.getByText('Settings saved.', { exact: true }).waitFor();
    await page.reload();
    await until(
      () => page.getByLabel('Main fuse (A)').inputValue(),
      (text) => text === '16.5',
    );
    const fuse = page.getByLabel('Main fuse (A)');
    await fuse.fill('16 A');
    await page.getByText('Enter a number, such as 12.5.').waitFor();
    await fuse.fill('16');

    const [operator, tariff] = [page.getByLabel('Grid operator'), page.getByLabel('Grid tariff')];
    await operator.selectOption('ellevio');
    await tariff.selectOption('Effekt 16–25 A (prices until 31 Dec 2025)');
    await operator.selectOption('goteborg_energi_nat');
    assert.equal(await tariff.inputValue(), '');
    await button(page, 'Save settings').click();
    await page.getByText('Choose a tariff, or clear the grid operator.').waitFor();
    assert.equal(await tariff.evaluate((select) => select.matches(':invalid')), true);
    await button(page, 'Delete this site').click();
    await button(dialog(page, 'Delete Cabin?'), 'Delete site').click();
    await page.waitForURL('**/app/sites');
    await link(page, 'Simulated home').waitFor();
    assert.equal(await link(page, 'Cabin').count(), 0);
  });

  await t.test('a guest joins an organization, sees its sites, and is removed', async () => {
    await using visitor = await owner.tab();
    await using guest = await visits.visit();
    const { page } = visitor;
    await page.goto(`${state.cloud_url}/app/organizations/${state.org_id}`);
    const members = card(page, 'Members');
    await members.getByLabel(/^Note/).fill('Guest');
    await button(members, 'Create link').click();
    const url = (await members.locator('.link code').textContent())!;
    await button(members, 'Revoke invitation: Guest').waitFor();
    await takePicture(page, 'invite');

    await guest.page.goto(url);
    await guest.page.getByText(/^You have been invited/).waitFor();
    await guest.page.getByLabel(/^Your name/).fill('Guest');
    await button(guest.page, 'Create key and sign in').click();
    await card(guest.page, /^Join /).waitFor();
    await takePicture(guest.page, 'invitation');
    await button(guest.page, 'Accept').click();
    await guest.page.waitForURL(`**/app/sites/${state.site_id}`);
    await guest.page.goto(url);
    await guest.page.getByText(/^This invitation has been used/).waitFor();

    await page.reload();
    await members.getByLabel('Role of Guest').waitFor();
    assert.equal(await button(members, 'Revoke invitation: Guest').count(), 0);
    assert.equal(await members.locator(':user-invalid').count(), 0);
    assert.match(
      (await cell(members, /^Guest/, 'Joined')
        .first()
        .textContent())!,
      /\b\d{4}$/,
    );

    await guest.page.goto(`${home}/control`);
    await guest.page.getByText(/^You can view this page, but only operators/).waitFor();
    assert.equal(await button(guest.page, 'Return all devices to automatic').isDisabled(), true);
    await members.getByLabel('Role of Guest').selectOption('operator');
    await until(
      async () => {
        await guest.page.reload();
        await card(guest.page, battery).waitFor();
        return button(guest.page, 'Return all devices to automatic').isEnabled();
      },
      (isAble) => isAble,
    );
    await button(members, 'Remove Guest').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await members.getByLabel('Role of Guest').waitFor({ state: 'detached' });
    await card(page, 'Activity log').getByText('removed a member').first().waitFor();
    await guest.page.goto(home);
    await guest.page.getByRole('alert').waitFor();
    assert.equal(await guest.page.getByText('Simulated home').count(), 0);
  });

  await t.test('the examples for developers use the shown site', async () => {
    await using visitor = await signedIn(visits, state);
    const { page } = visitor;
    await page.goto(`${state.cloud_url}/app/developer`);
    const site = await page.getByLabel('Site', { exact: true }).inputValue();
    assert.ok(site);
    await card(page, 'Examples').getByText(site).waitFor();
  });

  await t.test('no name is so long that a page scrolls sideways', async () => {
    await using visitor = await signedIn(visits, state, { viewport: { width: 320, height: 640 } });
    const { page } = visitor;
    await page.getByLabel('Site name').fill('M'.repeat(128));
    await button(page, 'Create site').click();
    await heading(page, /^M+$/).waitFor();
    const { pathname } = new URL(page.url());
    const ofSite = ['', '/history', '/prices', '/control', '/devices', '/settings', '/contract'].map(
      (end) => pathname + end,
    );
    for (const path of [...ofSite, '/app/sites', '/app/developer', '/app/organizations', '/app/integrations']) {
      await walkSettled(page, path);
      assert.deepEqual(await tooWide(page), [], path);
    }
  });
});
