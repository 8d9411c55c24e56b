import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getSiteBill } from '#contract/cloud/bill.ts';
import { getContract, updateContract } from '#contract/cloud/contract.ts';
import { getSite, updateSite } from '#contract/cloud/sites.ts';
import { signInWith } from '../stack/owner.ts';
import { until } from '../until.ts';
import { accessibilityFindings } from './accessibility.ts';
import { button, card, choose, dialog, heading } from './by-role.ts';
import { chromiumMissing } from './chromium.ts';
import { takePicture } from './picture.ts';
import { goSettled, tooWide } from './settled.ts';
import { sharedHome } from './shared.ts';
import { signedIn } from './signed-in.ts';
import { openVisits, phone } from './visits.ts';

const swedish = { locale: 'sv-SE', colorScheme: 'dark', viewport: phone } as const;

test('money', { skip: chromiumMissing, timeout: 300_000 }, async (t) => {
  const { state } = await sharedHome();
  const visits = await openVisits(t);
  const owner = await signedIn(visits, state);
  const { api } = await signInWith(state);
  const params = { site_id: state.site_id };
  const home = `${state.cloud_url}/app/sites/${state.site_id}`;
  const stored = async () => (await api.call(getContract, { params })).periods;

  await t.test('a contract is entered as on the invoice, changed and removed', async () => {
    await api.call(updateSite, { params, body: { price_area: 'SE3' } });
    await api.call(updateContract, { params, body: { periods: [] } });
    await using visitor = await owner.tab();
    const { page } = visitor;
    await goSettled(page, `${home}/contract`);
    await heading(page, 'No contract entered yet').waitFor();
    await takePicture(page, 'contract-empty');
    await button(page, 'Enter contract').click();
    await page.getByLabel('Valid from').fill('2026-01-01');
    await page.getByLabel('Markup (öre/kWh)').fill('6,25');
    await page.getByText('5.00 öre/kWh excluding VAT.').waitFor();
    await page.getByLabel('Monthly fee (SEK)').fill('49');
    await page.getByLabel('Added to the spot price (öre/kWh)').fill('-2');
    await page.getByLabel('Grid benefit compensation (öre/kWh)').fill('5.1');
    await choose(page.getByRole('group', { name: 'Electricity price' }), 'Fixed price');
    await button(page, 'Save period').click();
    await page.getByText('Enter the fixed price.').waitFor();
    await until(
      () => page.getByLabel('Fixed price (öre/kWh)').evaluate((input) => input.matches(':focus')),
      (isFocused) => isFocused,
    );
    assert.equal(await page.getByLabel('Markup (öre/kWh)').inputValue(), '6,25');
    assert.deepEqual(await accessibilityFindings(page), []);
    await takePicture(page, 'contract-form');
    await choose(page.getByRole('group', { name: 'Electricity price' }), 'Spot price');
    await button(page, 'Save period').click();
    await page.getByText('Contract saved.').waitFor();
    const first = {
      valid_from: '2026-01-01',
      pricing: 'spot',
      markup_per_kwh: 0.05,
      monthly_fee: 39.2,
      export: { pricing: 'spot', adjustment_per_kwh: -0.02 },
      export_grid_benefit_per_kwh: 0.051,
    };
    assert.deepEqual(await stored(), [first]);

    await button(page, 'Add a period').click();
    await page.getByLabel('Valid from').fill('2026-01-01');
    await button(page, 'Save period').click();
    await page.getByText('Another period begins on this day. Change that one, or choose another day.').waitFor();
    await page.getByLabel('Valid from').fill('2026-06-01');
    await choose(page.getByRole('group', { name: 'Amounts of the supplier' }), 'Excluding VAT');
    assert.equal(await page.getByLabel('Markup (öre/kWh)').inputValue(), '5');
    await page.getByLabel('Markup (öre/kWh)').fill('4');
    await button(page, 'Save period').click();
    await card(page, 'From 1 Jun 2026').getByText('4.00 öre/kWh').waitFor();
    await card(page, /^1 Jan 2026 – 31 May 2026/)
      .getByText('5.00 öre/kWh')
      .waitFor();
    assert.deepEqual(await stored(), [first, { ...first, valid_from: '2026-06-01', markup_per_kwh: 0.04 }]);
    await takePicture(page, 'contract');

    await using inSwedish = await signedIn(visits, state, swedish);
    await goSettled(inSwedish.page, `${home}/contract`);
    await takePicture(inSwedish.page, 'contract-phone');
    await button(inSwedish.page, 'Ändra perioden från 1 juni 2026').click();
    assert.equal(await inSwedish.page.getByLabel('Påslag (öre/kWh)').inputValue(), '5');
    await inSwedish.page.getByLabel('Månadsavgift (SEK)').fill('59');
    assert.deepEqual(await tooWide(inSwedish.page), []);
    await takePicture(inSwedish.page, 'contract-form-phone');

    await button(page, 'Remove the period from 1 Jun 2026').click();
    await button(dialog(page, 'Remove the period from 1 Jun 2026?'), 'Remove').click();
    await card(page, 'From 1 Jan 2026').waitFor();
    assert.deepEqual(await stored(), [first]);

    await button(inSwedish.page, 'Spara perioden').click();
    await inSwedish.page
      .getByRole('alert')
      .getByText(/^Någon har ändrat detta/)
      .waitFor();
    assert.equal(await inSwedish.page.getByLabel('Månadsavgift (SEK)').inputValue(), '59');
    assert.deepEqual(await stored(), [first]);
  });

  await t.test('the home page, the bill and the API have the same cost of the month, one click apart', async () => {
    await api.call(updateContract, { params, body: { periods: [{ valid_from: '2026-01-01', pricing: 'spot' }] } });
    await using visitor = await owner.tab();
    const { page } = visitor;
    const amount = async (label: string): Promise<number> => {
      const figure = page.locator('.figure', { hasText: label }).locator('.value');
      return Number((await figure.textContent())!.replaceAll(/[^\d.-]/g, ''));
    };
    const read = async () => {
      await goSettled(page, home);
      const atHome = await amount('So far');
      await card(page, 'Cost this month').getByRole('link', { name: 'Bill', exact: true }).click();
      await card(page, 'Line by line').waitFor();
      const { total } = await api.call(getSiteBill, { params, query: {} });
      const onBill = await amount('So far');
      return { atHome, onBill, total };
    };
    // The home keeps using energy between the requests.
    const seen = await until(read, ({ atHome, onBill, total }) => atHome === total && onBill === total);
    assert.ok(seen.total > 0);
    const lines = await page.locator('.bill-lines tbody tr:not(.payee) td:last-child').allTextContents();
    const cents = lines.reduce((sum, text) => sum + Math.round(Number(text.replaceAll(/[^\d.-]/g, '')) * 100), 0);
    assert.equal(cents, Math.round((await amount('So far')) * 100));
    assert.deepEqual(await accessibilityFindings(page), []);
    await button(page, 'Previous bill').click();
    await page.waitForURL(/month=\d{4}-\d\d/);
    await page.getByText('Nothing was measured in this period. The bill has only fixed fees.').waitFor();
    await goSettled(page, home);
    await card(page, 'Cost this month')
      .getByRole('link', { name: /^Bill of/ })
      .click();
    await page.waitForURL(/bill\?month=\d{4}-\d\d/);
  });

  await t.test('a cost that cannot be calculated has a reason and a link, and is never shown as zero', async () => {
    await using inSwedish = await signedIn(visits, state, swedish);
    const { page } = inSwedish;
    await api.call(updateContract, { params, body: { periods: [] } });
    await api.call(updateSite, { params, body: { tariff_id: null } });
    await goSettled(page, `${home}/bill`);
    await page.getByRole('link', { name: 'Välj elnätstariff' }).waitFor();
    assert.deepEqual(await page.locator('main [lang=en]').allTextContents(), []);
    assert.deepEqual(await tooWide(page), []);
    await takePicture(page, 'bill-phone');
    await page.getByRole('link', { name: 'Ange elavtalet' }).click();
    await page.waitForURL('**/contract');

    const down = { type: 'about:blank', title: 'Unavailable', status: 503, code: 'unavailable' };
    await page.route(/\/(bill|savings)\?/, (route) => route.fulfill({ status: 503, json: down }));
    await goSettled(page, home);
    await page.getByText(/^Pristjänsten går inte att nå just nu/).waitFor();
    assert.equal(await page.getByText(/^0,00/).count(), 0);
    await page.unroute(/\/(bill|savings)\?/);

    const { latitude, longitude, price_area } = await api.call(getSite, { params });
    await api.call(updateSite, { params, body: { price_area: null, latitude: null, longitude: null } });
    await goSettled(page, home);
    await page.getByRole('link', { name: 'Välj elområde' }).waitFor();
    assert.equal(await page.getByText('Nettokostnad i dag').count(), 0);
    await page.getByText('Självförsörjning').waitFor();
    await api.call(updateSite, {
      params,
      body: { price_area: price_area!, latitude: latitude!, longitude: longitude! },
    });
  });
});
