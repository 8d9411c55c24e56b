import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { until } from '../until.ts';
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

/** Whether the browser keeps values of a home, to show them offline. */
const keepsValues = (page: Page): Promise<boolean> =>
  page.evaluate<boolean>(`localStorage.getItem('ohmstead.last-values') !== null`);

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
    await people.getByText('because localhost always names the computer itself').waitFor();
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

  await t.test('a phone is added with three clicks, compared by a code, and removed again', async () => {
    await using laptop = await signedIn(visits, state);
    await using phone = await visits.visit({ viewport: { width: 390, height: 844 } });
    await using thief = await visits.visit();
    const { page } = laptop;
    await page.goto(`${state.cloud_url}/app/profile`);
    const browsers = card(page, 'Your other browsers and phones');
    const [owner, added] = [hand(), hand()];
    await owner.click(button(browsers, 'Add a browser or phone'));
    await browsers.getByRole('img', { name: 'Link for the other browser as a QR code' }).locator('path').waitFor();
    const url = (await browsers.locator('.link code').textContent())!;
    await takePicture(page, 'add-browser-link');
    await phone.page.goto(url);
    await added.click(button(phone.page, 'Add this browser'));
    await card(phone.page, 'Confirm in the other browser').waitFor();
    await phone.page.getByText('This browser will be signed in as Simulated owner.').waitFor();
    await thief.page.goto(url);
    await button(thief.page, 'Add this browser').click();
    await thief.page.getByText(/was opened by another browser before/).waitFor();
    await browsers.getByText('Chrome on Linux wants to sign in as you.').waitFor();
    const codes = await Promise.all([page, phone.page].map((each) => each.locator('.comparison-code').textContent()));
    assert.match(codes[0]!, /^\d{3} \d{3}$/);
    assert.equal(codes[0], codes[1]);
    await takePicture(page, 'add-browser-compare');
    await takePicture(phone.page, 'add-browser-phone');
    await owner.click(button(browsers, 'The codes match, add it'));
    await browsers.getByText('Chrome on Linux has been added.').waitFor();
    await phone.page.getByRole('link', { name: 'Simulated home', exact: true }).waitFor();
    assert.deepEqual([owner.clicks, added.clicks], [2, 1]);
    await takePicture(page, 'add-browser-added');
    await phone.page.reload();
    await phone.page.getByRole('link', { name: 'Simulated home', exact: true }).waitFor();

    await phone.page.goto(home);
    await until(() => keepsValues(phone.page));
    await phone.page.goto('about:blank');
    await button(browsers, 'Remove: Chrome on Linux').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await browsers.getByText('No other browser or phone has been added.').waitFor();
    await phone.page.goto(`${state.cloud_url}/app/sites`);
    await phone.page.getByText(/It may have been removed in another browser/).waitFor();
    assert.equal(await keepsValues(phone.page), false);
  });

  await t.test('the sign-ins of a browser are one row, which ends all of them or says that it could not', async () => {
    const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
    {
      await using other = await signedIn(visits, state, { userAgent });
      await other.page.reload();
      await other.page.getByRole('link', { name: 'Simulated home', exact: true }).waitFor();
    }
    await using laptop = await signedIn(visits, state);
    const { page } = laptop;
    await page.goto(`${state.cloud_url}/app/profile`);
    const signIns = card(page, 'Where you are signed in');
    const row = signIns.getByRole('row', { name: /Firefox on Linux/ });
    const dialog = page.getByRole('dialog');
    await row.getByText('2 sign-ins').waitFor();
    const json = { error: 'forbidden', detail: 'Not now.' };
    await page.route(/\/sign-ins\/tok/, (route) => route.fulfill({ status: 403, json }), { times: 1 });
    await button(row, 'Sign out: Firefox on Linux').click();
    await dialog.getByText('All 2 sign-ins in this row lose access within seconds.').waitFor();
    await takePicture(page, 'sign-ins-end');
    await button(dialog, 'Sign out').click();
    await dialog.getByText('Not now.').waitFor();
    await dialog.getByText('It loses access within seconds.').waitFor(); // of the one that is left
    await button(dialog, 'Sign out').click();
    await row.waitFor({ state: 'detached' });
    await page.reload();
    await signIns.getByRole('row', { name: /Chrome on Linux/ }).waitFor();
    assert.equal(await row.count(), 0);
  });

  await t.test('a person changes their name, and signing out everywhere reaches another browser', async () => {
    await using phone = await signedIn(visits, state, { viewport: { width: 390, height: 844 } });
    await using laptop = await signedIn(visits, state);
    const { page } = laptop;
    await page.goto(`${state.cloud_url}/app/settings`);
    await link(page, 'Name and sign-ins').click();
    await page.getByLabel('Your name').fill('Ada');
    await button(page, 'Save name').click();
    await page.getByText('Saved.', { exact: true }).waitFor();
    const signIns = card(page, 'Where you are signed in');
    await signIns.getByText('this one').waitFor();
    await signIns.getByRole('row', { name: /Chrome on Linux this one \d+ sign-ins/ }).waitFor(); // only one, or it throws
    await takePicture(page, 'profile');
    await phone.page.goto(`${state.cloud_url}/app/profile`);
    await card(phone.page, 'Where you are signed in').waitFor();
    await takePicture(phone.page, 'profile-phone');
    await page.getByLabel('Your name').fill('Simulated owner');
    await button(page, 'Save name').click();
    await page.getByText('Saved.', { exact: true }).waitFor();
    await phone.page.goto(home);
    await phone.page.getByRole('heading', { name: 'Simulated home' }).waitFor();

    await until(() => keepsValues(phone.page));
    await button(page, 'Sign out everywhere').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click();
    for (const each of [laptop, phone]) await button(each.page, 'Sign in as Simulated owner').waitFor();
    await phone.page.getByText('Your session has expired. Sign in again.').waitFor();
    assert.equal(await keepsValues(phone.page), false);
    await phone.page.reload();
    await button(phone.page, 'Sign in as Simulated owner').click();
    await phone.page.getByRole('heading', { name: 'Simulated home' }).waitFor();
  });
});
