import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { readEvents } from '../cloud/event-reader.ts';
import { signInWith } from '../stack/owner.ts';
import { startUp } from '../stack/up-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { until } from '../until.ts';
import { button, card, cell, heading, link } from './by-role.ts';
import { chromiumMissing } from './chromium.ts';
import { openCutProxy } from './cut-proxy.ts';
import { signedIn } from './signed-in.ts';
import { openVisits } from './visits.ts';

const staleMs = 60_000; // age from which a value counts as stale

/** Text in the corner of the diagram. */
const corner = (page: Page, name: string) =>
  page.getByRole('region', { name: /^Power flow of the house/ }).locator('.node', { hasText: name });

/** NaN while it is unknown. */
const watts = async (page: Page, name: string): Promise<number> => {
  const text = await corner(page, name).locator('.watts').textContent();
  const [, number, kilo] = /^([\d.]+) (k?)W$/.exec(text!) ?? [];
  return Number(number) * (kilo ? 1000 : 1);
};

/** The simulated fault of the charger; `none` when it works. */
const brokenBy = (page: Page): Promise<string> => page.getByLabel('Simulated two-way charger').inputValue();

/** Moves a slider until the simulation follows. */
async function play(page: Page, name: string, value: string, words: string): Promise<void> {
  const slider = page.getByRole('slider', { name: new RegExp(`^${name}`) });
  await slider.fill(value);
  await page.getByText(`${name}: ${words}`, { exact: true }).waitFor();
}

/** The readings in the event viewer of the page, newest first. */
async function shownReadings(page: Page): Promise<string[]> {
  const texts = await card(page, 'Live events').locator('li code').allTextContents();
  return texts
    .map((text) => JSON.parse(text) as { type: string; id: string; reading: { der_id: string; timestamp: number } })
    .filter(({ type }) => type === 'reading')
    .map(({ reading: { der_id, timestamp } }) => `${der_id} ${timestamp}`);
}

test('the live pages', { skip: chromiumMissing, timeout: 300_000 }, async (t) => {
  const { state } = await startUp(t, temporaryFolder(t), ['--houses', '2', '--without-history']);
  const visits = await openVisits(t);
  const owner = await signedIn(visits, state);
  const now = `${state.cloud_url}/app/sites/${state.site_id}`;
  const { token } = await signInWith(state);
  let silentSince = 0;

  await t.test('a simulated connection is cut', async () => {
    await using visitor = await owner.tab();
    const { page } = visitor;
    await page.goto(`${state.cloud_url}/app/street`);
    await page.getByLabel('Simulated two-way charger').selectOption({ label: 'No response' });
    await until(
      () => brokenBy(page),
      (fault) => fault === 'silence',
    );
    silentSince = performance.now();
  });

  await t.test('values change by themselves, and have a unit, direction and age', async () => {
    await using visitor = await owner.tab();
    const { page } = visitor;
    await page.goto(now);
    await page.getByText('Live', { exact: true }).waitFor();
    const first = await corner(page, 'House').textContent();
    await until(
      () => corner(page, 'House').textContent(),
      (text) => text !== first,
    );
    for (const name of ['Solar', 'Grid', 'Battery', 'Car', 'House']) {
      await until(
        () => corner(page, name).textContent(),
        (text) => /^\D+[\d.,]+ k?W.*[a-z]{3}.*(just now|ago)$/.test(text!),
      );
    }
  });

  await t.test('a browser clock that is ahead makes no value unknown', async () => {
    await using visitor = await owner.tab();
    const { page } = visitor;
    await page.addInitScript('const real = Date.now; Date.now = () => real() + 600_000;');
    await page.goto(now);
    await until(
      () => watts(page, 'House'),
      (power) => power > 0,
    );
  });

  await t.test('clouds in the simulation reduce the solar power on the page of the home', async () => {
    await using visitor = await owner.tab();
    const { page } = visitor;
    await page.goto(`${state.cloud_url}/app/street`);
    const sun = cell(card(page, 'Simulated and measured values'), /^Solar/, 'Platform');
    await play(page, 'Time of day', '12', '12:00');
    await play(page, 'Cloud cover', '0', '0%');
    await until(
      () => sun.textContent(),
      (text) => text!.endsWith('W, generating'),
    );
    await link(page, 'Go to live view').click();
    const bright = await until(
      () => watts(page, 'Solar'),
      (power) => power > 900, // also in December
    );
    await page.goBack();
    await play(page, 'Cloud cover', '1', '100%');
    await link(page, 'Go to live view').click();
    await until(
      () => watts(page, 'Solar'),
      (power) => power < bright / 2,
    );
  });

  await t.test('the page says when its connection is lost, and continues when it is back', async (inner) => {
    const proxy = await openCutProxy(inner, state.cloud_url);
    await using visitor = await signedIn(visits, { ...state, cloud_url: proxy.url });
    const { page } = visitor;
    await link(page, 'Simulated home').click();
    await page.getByText('Live', { exact: true }).waitFor();
    proxy.cut();
    await page.getByText(/^Connection lost/).waitFor();
    proxy.mend();
    await page.getByText('Live', { exact: true }).waitFor();
    assert.equal(await page.getByText(/^Connection lost/).count(), 0);
  });

  await t.test('power is animated, unless the person asked for less motion', async () => {
    for (const reducedMotion of ['no-preference', 'reduce'] as const) {
      await using visitor = await signedIn(visits, state, { reducedMotion });
      const { page } = visitor;
      await page.goto(now);
      await until(
        () => watts(page, 'House'),
        (power) => power > 100,
      );
      // Animations that a page ends after 0.01 ms count as running until its next frame, which is late on a busy machine.
      const moving = () =>
        page.evaluate<number>(`document.getAnimations().filter(
          ({ playState, effect }) => playState === 'running' && effect.getComputedTiming().activeDuration > 1).length`);
      if (reducedMotion === 'reduce') {
        await sleep(500);
        assert.equal(await moving(), 0);
      } else await until(moving, (count) => count > 0);
    }
  });

  await t.test('a token of the developer page works until it is revoked', async () => {
    await using visitor = await owner.tab();
    const { page } = visitor;
    await page.goto(`${state.cloud_url}/app/developer`);
    const tokens = card(page, 'API tokens');
    await button(tokens, 'Create token').click();
    const made = (await tokens.locator('code').textContent())!;
    const status = async (): Promise<number> =>
      (await fetch(`${state.cloud_url}/sites`, { headers: { authorization: `Bearer ${made}` } })).status;
    assert.equal(await status(), 200);
    await page.reload();
    await tokens.getByText(made, { exact: true }).waitFor();
    await button(tokens, 'Revoke').click();
    await tokens.getByText(made, { exact: true }).waitFor({ state: 'detached' });
    assert.equal(await status(), 401);
    assert.match((await card(page, 'Examples').locator('pre').textContent())!, new RegExp(state.site_id));
    await page.getByLabel('Search').fill('post claim');
    await card(page, 'API reference').getByText('/gateways/claim', { exact: true }).waitFor();
    assert.equal(await card(page, 'API reference').getByText('/sites/{site_id}', { exact: true }).count(), 0);
  });

  await t.test('everybody may look at the map and at a cell', async () => {
    await using visitor = await visits.visit();
    const { page } = visitor;
    await page.goto(`${state.cloud_url}/app/map`);
    await page
      .getByRole('button', { name: /^Show / })
      .first()
      .click();
    const cellCard = page.getByRole('region', { name: /\d° N, \d/ });
    await cellCard.getByRole('row', { name: /^Solar|^Sun/ }).waitFor();
    const first = await cellCard.getByRole('heading').textContent();
    await page.getByRole('application', { name: /^Map of cells/ }).press('n');
    await until(
      () =>
        page
          .getByRole('region', { name: /\d° N, \d/ })
          .getByRole('heading')
          .textContent(),
      (name) => name !== first,
    );
  });

  await t.test('language and colours are chosen and stored', async () => {
    await using visitor = await visits.visit();
    const { page } = visitor;
    await page.goto(`${state.cloud_url}/app/settings`);
    await page.getByLabel('Svenska').check({ force: true });
    await heading(page, 'Inställningar').waitFor();
    await page.getByLabel('Mörkt').check({ force: true });
    await page.reload();
    await heading(page, 'Inställningar').waitFor();
    const seen = await page.evaluate<[string, string]>(
      '[document.documentElement.lang, getComputedStyle(document.documentElement).backgroundColor]',
    );
    const [red] = /\d+/.exec(seen[1])!;
    assert.equal(seen[0], 'sv');
    assert.ok(Number(red) < 60, `the ground is ${seen[1]}`);
  });

  await t.test('a language that cannot be loaded is not chosen, and the page says so', async () => {
    await using visitor = await visits.visit();
    const { page } = visitor;
    await page.goto(`${state.cloud_url}/app/settings`);
    await page.route('**/assets/sv-*.js', (route) => route.abort());
    await page.getByLabel('Svenska').dispatchEvent('click');
    await page
      .getByRole('alert')
      .getByText(/^The language could not be loaded/)
      .waitFor();
    assert.ok(await page.getByLabel('English').isChecked());
    await page.unroute('**/assets/sv-*.js');
    await page.reload();
    await heading(page, 'Settings').waitFor();
    await page.getByLabel('Svenska').check({ force: true });
    await heading(page, 'Inställningar').waitFor();
    await page.route('**/assets/sv-*.js', (route) => route.abort());
    await page.reload();
    await heading(page, 'Settings').waitFor();
  });

  await t.test(
    'a refusal of the platform is shown in the language of the page, with details from the platform',
    async () => {
      await using visitor = await signedIn(visits, state, { locale: 'sv-SE' });
      await visitor.page.goto(`${state.cloud_url}/app/organizations/org-nowhere`);
      const told = visitor.page.getByRole('alert').first();
      await told.getByText('Hittades inte. Det kan ha tagits bort.', { exact: true }).waitFor();
      assert.equal(await told.locator('p[lang=en]').textContent(), 'There is no organization with this id.');
      await visitor.page.goto(`${state.cloud_url}/app/sites/sit-nowhere`);
      await told.getByText(/^Anläggningen finns inte/).waitFor();
      assert.equal(await told.locator('p[lang=en]').count(), 0);
    },
  );

  await t.test('a connection that is lost and restored has no gap and no duplicates', async (inner) => {
    const proxy = await openCutProxy(inner, state.cloud_url);
    await using visitor = await signedIn(visits, { ...state, cloud_url: proxy.url });
    const { page } = visitor;
    await page.goto(`${proxy.url}/app/developer`);
    await until(
      () => shownReadings(page),
      ({ length }) => length >= 10,
    );

    const truth = await readEvents(`${state.cloud_url}/stream/sites/${state.site_id}`, {
      authorization: `Bearer ${token}`,
    });
    await sleep(1500);
    for (const awayMs of [1500, 3000]) {
      proxy.cut();
      await page
        .getByText(/"type":"disconnected"/)
        .first()
        .waitFor();
      await sleep(awayMs);
      proxy.mend();
      const { length } = truth.events;
      await until(
        () => truth.events.length,
        (count) => count > length + 10,
      );
    }
    assert.equal(await page.getByText('"type":"gap"').count(), 0);
    const told = truth.events
      .filter(({ event }) => event === 'message')
      .map(({ data }) => `${String(data.der_id)} ${Number(data.timestamp)}`);
    await truth.close();
    const shown = await until(
      () => shownReadings(page),
      (all) => all.includes(told.at(-1)!),
    );
    assert.deepEqual(
      { missing: told.filter((reading) => !shown.includes(reading)), twice: shown.length - new Set(shown).size },
      { missing: [], twice: 0 },
    );
    assert.ok(told.length >= 30, `${told.length} readings were shown`);
  });

  await t.test('silent devices are shown as stale', async () => {
    await using visitor = await owner.tab();
    const { page } = visitor;
    await page.goto(now);
    await corner(page, 'Grid').waitFor();
    const restMs = silentSince + staleMs - performance.now();
    assert.deepEqual(
      await until(
        () => Promise.all(['Car', 'Grid'].map((name) => corner(page, name).locator('time').getAttribute('title'))),
        ([car]) => car!.startsWith('Stale'),
        Math.max(0, restMs) + 12_000,
      ).then((titles) => titles.map((title) => title!.startsWith('Stale'))),
      [true, false],
    );
    await link(page, 'Settings').click();
    await link(page, 'Simulation').click();
    await button(page, 'Reset simulation').click();
    await until(
      () => brokenBy(page),
      (fault) => fault === 'none',
    );
  });
});
