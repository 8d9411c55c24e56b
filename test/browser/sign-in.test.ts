import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { chromiumMissing } from './chromium.ts';
import { sharedHome } from './shared.ts';
import { enterWithKeyFile } from './signed-in.ts';
import { openVisits } from './visits.ts';

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name, exact: true });

/** Whether a script of the page could read the key. */
const isKeyReadable = (page: Page): Promise<boolean> =>
  page.evaluate(
    `new Promise((resolve) => {
      indexedDB.open('ohmstead').onsuccess = ({ target: { result: db } }) => {
        db.transaction('keys').objectStore('keys').get('mine').onsuccess = ({ target }) => {
          db.close();
          resolve(target.result.pair.privateKey.extractable);
        };
      };
    })`,
  );

async function makeKey(page: Page, name: string): Promise<void> {
  await page.getByLabel(/^Your name/).fill(name);
  await button(page, 'Create key and sign in').click();
  await heading(page, 'Get started').waitFor();
}

async function saveKey(page: Page): Promise<Buffer> {
  const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Save key file').click()]);
  return readFileSync(await download.path());
}

/** Shows the saved file to the browser that holds the key. */
async function showFile(page: Page, pem: Buffer): Promise<void> {
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), button(page, 'Confirm saved file').click()]);
  await chooser.setFiles(pemFile(pem));
}

const pemFile = (buffer: Buffer) => ({ name: 'key.pem', mimeType: 'application/x-pem-file', buffer });

async function signOut(page: Page): Promise<void> {
  await page.goto('/app/settings');
  await button(page, 'Sign out').click();
  await button(page, 'Sign out').waitFor({ state: 'detached' });
}

test('signing in', { skip: chromiumMissing, timeout: 300_000 }, async (t) => {
  const { state } = await sharedHome();
  const visits = await openVisits(t);
  const baseURL = state.cloud_url;

  await t.test('a new person is led to the gateway at home', async () => {
    await using visitor = await visits.visit({ baseURL });
    const { page } = visitor;
    await page.goto('/');
    await makeKey(page, 'Ada');
    await page.waitForURL('**/app/setup');
    await heading(page, 'Connect your gateway').waitFor();
    await page.getByRole('link', { name: 'For installers: claim step by step' }).click();
    await page.waitForURL('**/app/gateways/claim');
  });

  await t.test('a key can be exported until its file is confirmed, not after, and opens another browser', async () => {
    await using visitor = await visits.visit({ baseURL });
    const { page } = visitor;
    await page.goto('/');
    await makeKey(page, 'Grace');
    assert.equal(await isKeyReadable(page), true);
    const pem = await saveKey(page);
    assert.match(pem.toString(), /^-----BEGIN PRIVATE KEY-----\n/);
    await showFile(page, readFileSync(state.private_key_file));
    await page.getByText(/^This file contains a different key/).waitFor();
    assert.equal(await isKeyReadable(page), true); // a lost download can be saved again
    assert.deepEqual(await saveKey(page), pem);
    await showFile(page, pem);
    await button(page, 'Save key file').waitFor({ state: 'detached' });
    assert.equal(await isKeyReadable(page), false);
    await page.reload();
    await heading(page, 'Get started').waitFor();
    assert.equal(await button(page, 'Save key file').count(), 0);

    await using other = await visits.visit({ baseURL });
    await other.page.goto('/app/organizations');
    await enterWithKeyFile(other.page, pemFile(pem));
    await other.page.getByRole('link', { name: 'Settings', exact: true }).first().click();
    await other.page.getByText('Grace', { exact: true }).waitFor();
    assert.equal(await isKeyReadable(other.page), false);
  });

  await t.test('a person who signs out stays signed out', async () => {
    await using visitor = await visits.visit({ baseURL });
    const { page } = visitor;
    await page.goto('/');
    await makeKey(page, 'Hedy');
    await signOut(page);
    await page.goto('/app/sites');
    await heading(page, 'Welcome back').waitFor();
    await page.reload();
    await button(page, 'Sign in as Hedy').click();
    await heading(page, 'Get started').waitFor();
    await page.reload();
    await heading(page, 'Get started').waitFor();
  });

  await t.test('signing out applies to every tab, and other identities stay signed in', async () => {
    await using visitor = await visits.visit({ baseURL });
    await using other = await visits.visit({ baseURL });
    const { page, context } = visitor;
    await page.goto('/');
    await makeKey(page, 'Grace');
    await other.page.goto('/');
    await makeKey(other.page, 'Ida');
    const tab = await context.newPage();
    await tab.goto('/app/sites');
    await heading(tab, 'Get started').waitFor();
    await signOut(page);
    await button(tab, 'Sign in as Grace').waitFor();
    await other.page.reload();
    await heading(other.page, 'Get started').waitFor();
  });

  await t.test('a key that is nowhere else is neither written over nor forgotten by the way', async () => {
    await using visitor = await visits.visit({ baseURL });
    const { page } = visitor;
    await page.goto('/');
    await makeKey(page, 'Mary');
    await signOut(page);
    await page.goto('/app/sites');
    await enterWithKeyFile(page, state.private_key_file);
    await page.getByText(/has not been saved to a file and would be lost/).waitFor();
    await button(page, 'Remove this key').click();
    const dialog = page.getByRole('dialog', { name: 'Remove this key' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await button(page, 'Sign in as Mary').waitFor();
    await button(page, 'Remove this key').click();
    await dialog.getByRole('button', { name: 'Remove this key' }).click();
    await heading(page, 'Welcome back').waitFor({ state: 'detached' });
    await enterWithKeyFile(page, state.private_key_file);
    await page.getByRole('link', { name: 'Simulated home', exact: true }).waitFor();
  });

  await t.test('a file without a key is refused with an explanation', async () => {
    await using visitor = await visits.visit({ baseURL });
    const { page } = visitor;
    await page.goto('/');
    await button(page, 'Sign in with file').click();
    await page.getByText('Choose a key file first.').waitFor();
    await enterWithKeyFile(page, pemFile(Buffer.from('my diary')));
    await page.getByText(/^This is not a private key file/).waitFor();
    await enterWithKeyFile(
      page,
      pemFile(Buffer.from('-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n')),
    );
    await page.getByText(/^The key in this file cannot be used/).waitFor();
  });

  await t.test('one click looks around in the simulated home, until the visit is ended', async () => {
    await using visitor = await visits.visit({ baseURL });
    const { page } = visitor;
    const look = button(page, 'Open the demo home');
    await page.goto('/');
    await look.click();
    await page.waitForURL(`/app/sites/${state.site_id}`);
    await heading(page, 'Simulated home').waitFor();
    await page.reload();
    await page.getByText('Live', { exact: true }).waitFor();
    await page.goto('/app/settings');
    await button(page, 'Leave the demo').click();
    await button(page, 'Leave the demo').waitFor({ state: 'detached' });
    await page.goto('/app/sites');
    await look.waitFor();
    assert.equal(await heading(page, 'Welcome back').count(), 0);
  });
});
