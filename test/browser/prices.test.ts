import assert from 'node:assert/strict';
import { test } from 'node:test';
import { updateSite } from '#contract/cloud/sites.ts';
import { signInWith } from '../stack/owner.ts';
import { until } from '../until.ts';
import { button, card, choose } from './by-role.ts';
import { chromiumMissing } from './chromium.ts';
import { takePicture } from './picture.ts';
import { goSettled } from './settled.ts';
import { sharedHome } from './shared.ts';
import { signedIn } from './signed-in.ts';
import { openVisits } from './visits.ts';

const borlange = { latitude: 60.48, longitude: 15.43 };
const noPrices = 'The grid operator here is Borlange energi elnat, but its prices are not available.';

test('the prices of a place', { skip: chromiumMissing, timeout: 300_000 }, async (t) => {
  const { state } = await sharedHome();
  const visits = await openVisits(t);
  const owner = await signedIn(visits, state);
  const { api } = await signInWith(state);
  const home = `${state.cloud_url}/app/sites/${state.site_id}`;
  const publicPrices = `${state.cloud_url}/app/prices`;

  await t.test('are shown as missing at once when no source answers', async () => {
    await using visitor = await visits.visit();
    const { page } = visitor;
    await page.route('**/price/total?*', (route) => route.fulfill({ status: 503, headers: { 'retry-after': '30' } }));
    await page.goto(`${publicPrices}?area=SE3`);
    await button(page.getByRole('alert'), 'Try again').waitFor();
  });

  await t.test('keep the choice and their chart when a term changes', async () => {
    await using visitor = await visits.visit();
    const { page } = visitor;
    await page.goto(`${publicPrices}?area=SE3`);
    const today = page.getByRole('listbox', { name: /^Prices, Today/ });
    await today.waitFor();
    await choose(page, '15 min');
    await choose(page, 'Spot price');
    await page.getByLabel('Duration').selectOption('8');
    await page.getByLabel(/^Finish before/).fill('07:00');
    await today.getByRole('option').nth(95).waitFor();
    const isChosen = async (): Promise<void> => {
      assert.equal(await page.getByRole('radio', { name: '15 min' }).isChecked(), true);
      assert.equal(await page.getByRole('radio', { name: 'Spot price' }).isChecked(), true);
      assert.equal(await page.getByLabel('Duration').inputValue(), '8');
      assert.equal(await page.getByLabel(/^Finish before/).inputValue(), '07:00');
    };

    const late = Promise.withResolvers<void>();
    await page.route('**/price/total?*', async (route) => {
      await late.promise;
      await route.continue();
    });
    const asked = page.waitForRequest(/total\?.*markup=0.05/);
    await page.getByText('Markup and VAT').click();
    await page.getByLabel('Supplier’s markup', { exact: true }).fill('0.05');
    await asked;
    assert.equal(await today.getByRole('option').count(), 96);
    const answered = page.waitForResponse(/total\?.*markup=0.05/);
    late.resolve();
    await answered;
    await page
      .getByRole('region', { name: /^Price breakdown/ })
      .getByText(/markup/i)
      .waitFor();
    await isChosen();
    await takePicture(page, 'prices-with-markup');

    const elsewhere = page.waitForResponse(/total\?area=SE4/);
    await page.getByLabel('Price area').selectOption('SE4');
    await elsewhere;
    await today.waitFor();
    await isChosen();
  });

  await t.test('are not shown for other terms', async () => {
    await using visitor = await visits.visit();
    const { page } = visitor;
    await page.goto(`${publicPrices}?area=SE3`);
    const today = page.getByRole('listbox', { name: /^Prices, Today/ });
    await today.waitFor();
    await page.route('**/price/total?*', (route) => route.fulfill({ status: 500 }));
    await page.getByText('Markup and VAT').click();
    await page.getByLabel('VAT (%)').fill('10');
    await page.getByRole('alert').waitFor();
    assert.equal(await today.count(), 0);
  });

  await t.test('omit the tariff of an unknown grid operator, which is named', async () => {
    await api.call(updateSite, {
      params: { site_id: state.site_id },
      body: { ...borlange, price_area: 'SE3', tariff_id: null },
    });
    await using visitor = await owner.tab();
    const { page } = visitor;
    await goSettled(page, `${home}/prices`);
    await card(page, 'Grid tariff').getByText(noPrices).waitFor();
    assert.equal(await page.getByRole('alert').count(), 0);
    await takePicture(page, 'operator-without-prices');
  });

  await t.test('do not stay with one operator when the position belongs to another', async () => {
    await using visitor = await visits.visit();
    const { page } = visitor;
    await page.goto(`${publicPrices}?area=SE3&provider=goteborg_energi_nat`);
    const its = card(page, 'Grid tariff');
    await its.getByLabel('Tariff', { exact: true }).waitFor();
    await its.getByText('Find grid operator by position').click();
    await its.getByLabel(/^Latitude/).fill(String(borlange.latitude));
    await its.getByLabel(/^Longitude/).fill(String(borlange.longitude));
    await button(its, 'Find').click();
    await its.getByText(noPrices).waitFor();
    assert.equal(await its.getByLabel('Grid operator', { exact: true }).inputValue(), '');
    assert.equal(await its.getByLabel('Tariff', { exact: true }).count(), 0);
    assert.equal(await page.getByRole('alert').count(), 0);
    await takePicture(page, 'found-without-prices');
  });

  await t.test('keep the tariff of the site when its position has an operator without tariffs', async () => {
    await using visitor = await owner.tab();
    const { page } = visitor;
    await goSettled(page, `${home}/settings`);
    const [operator, tariff] = [page.getByLabel('Grid operator'), page.getByLabel('Grid tariff')];
    await operator.selectOption('goteborg_energi_nat');
    await until(
      () => tariff.locator('option').count(),
      (count) => count > 1,
    );
    await tariff.selectOption({ index: 1 });
    const chosen = await tariff.inputValue();
    await button(page, 'Find grid operator from position').click();
    await page.getByText(noPrices).waitFor();
    assert.equal(await tariff.inputValue(), chosen);
    assert.equal(await operator.inputValue(), 'goteborg_energi_nat');
    await takePicture(page, 'settings-without-prices');
    await button(page, 'Save settings').click();
    await page.getByText('Settings saved.', { exact: true }).waitFor();
  });
});
