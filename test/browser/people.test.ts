import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator } from 'playwright-core';
import { button, card, link } from './by-role.ts';
import { chromiumMissing } from './chromium.ts';
import { takePicture } from './picture.ts';
import { sharedHome } from './shared.ts';
import { signedIn } from './signed-in.ts';
import { openVisits } from './visits.ts';

/** Counts the clicks of a person. */
function hand() {
  let clicks = 0;
  return {
    click: (what: Locator): Promise<void> => {
      clicks++;
      return what.click();
    },
    get clicks(): number {
      return clicks;
    },
  };
}

test('people', { skip: chromiumMissing, timeout: 300_000 }, async (t) => {
  const { state } = await sharedHome();
  const visits = await openVisits(t);
  const home = `${state.cloud_url}/app/sites/${state.site_id}`;

  await t.test('a family member is invited with two clicks and sees the house after two', async () => {
    await using owner = await signedIn(visits, state);
    const { page } = owner;
    await page.goto(home);
    await page.getByRole('heading', { name: 'Simulated home' }).waitFor();
    const inviter = hand();
    await inviter.click(link(page, 'Settings').first());
    const people = card(page, /^People in Simulated home/);
    await inviter.click(button(people, 'Invite someone'));
    await people.getByRole('img', { name: 'Invitation as a QR code' }).locator('path').waitFor();
    const url = (await people.locator('.link code').textContent())!;
    await takePicture(page, 'invite-family');

    await using guest = await visits.visit({ viewport: { width: 390, height: 844 } });
    await guest.page.goto(url);
    const invited = hand();
    await guest.page.getByLabel(/^Your name/).fill('Eva');
    await invited.click(button(guest.page, 'Create key and sign in'));
    await invited.click(button(guest.page, 'Accept'));
    await guest.page.waitForURL(home);
    await guest.page.getByRole('heading', { name: 'Simulated home' }).waitFor();
    assert.deepEqual([inviter.clicks, invited.clicks], [2, 2]);

    await page.reload();
    await people.getByText('Eva', { exact: true }).waitFor();
    await page.goto(`${state.cloud_url}/app/organizations/${state.org_id}`);
    await card(page, 'Activity log').getByText('Eva', { exact: true }).first().waitFor();
    await card(page, 'Members').getByLabel('Role of Eva').waitFor();
    assert.equal(await page.getByText(/idt-/).count(), 0, 'people are shown by name');
  });
});
