import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { TestContext } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { getSiteBill } from '#contract/cloud/bill.ts';
import { getSiteCarbon } from '#contract/cloud/carbon.ts';
import { getSiteDeviceEnergy, getSiteEnergy, quarterMs } from '#contract/cloud/energy.ts';
import type { RequestOf } from '#contract/route.ts';
import { dayMs } from '#contract/time.ts';
import { dateAt, startOfDate } from '#contract/time-zone.ts';
import { signInWith } from '../stack/owner.ts';
import type { SimulatedState } from '../stack/up-process.ts';
import { until } from '../until.ts';
import { button, card, choose, heading } from './by-role.ts';
import { takePicture } from './picture.ts';
import { goSettled } from './settled.ts';
import type { Visitor } from './visits.ts';

/** The file that a click downloads. */
async function downloaded(page: Page, press: Locator): Promise<{ name: string; lines: string[] }> {
  const [download] = await Promise.all([page.waitForEvent('download'), press.click()]);
  const text = readFileSync(await download.path(), 'utf8');
  return { name: download.suggestedFilename(), lines: text.trimEnd().split(/\r?\n/) };
}

/** Tests the history of a home with a past year. */
export async function testHistory(t: TestContext, owner: Visitor, state: SimulatedState): Promise<void> {
  const home = `${state.cloud_url}/app/sites/${state.site_id}`;
  const params = { site_id: state.site_id };
  const { api } = await signInWith(state);
  // The past year is entered in the background after the start, the newest month last.
  const now = Math.floor(Date.now() / dayMs) * dayMs;
  const lately = { from: String(now - 4 * dayMs), to: String(now - 3 * dayMs) };
  await until(
    () => api.call(getSiteEnergy, { params, query: lately }),
    ({ total }) => total.import_wh > 0,
    60_000,
  );

  await t.test('history keeps its range in the address', async () => {
    await using visitor = await owner.tab();
    const { page } = visitor;
    await page.goto(`${home}/history`);
    await card(page, 'Totals').waitFor();
    await choose(page, 'Week');
    await page.waitForURL(/range=week/);
    await button(page, 'Previous period').click();
    await page.waitForURL(/date=\d{4}-\d\d-\d\d/);
    const address = page.url();
    await page.reload();
    await until(
      () => page.getByRole('radio', { name: 'Week' }).isChecked(),
      (isIt) => isIt,
    );
    assert.equal(page.url(), address);
    await button(page, 'Today').click();
    await page.waitForURL((url) => url.href !== address);
    await page.goBack();
    assert.equal(page.url(), address);
    await page.goto(`${home}/history?range=day&date=2001-01-01`);
    await heading(page, 'No data for this period').waitFor();
    await page.getByRole('link', { name: /^Go to the last day with data/ }).click();
    await card(page, 'Totals').waitFor();
  });

  await t.test(
    'a month with a clock change has the energy and the cost of the API, in the page and its files',
    async () => {
      const year = new Date().getUTCMonth() > 2 ? new Date().getUTCFullYear() : new Date().getUTCFullYear() - 1;
      const range = { from: `${year}-02-28T23:00:00Z`, to: `${year}-03-31T22:00:00Z` };
      const energyOf = async (query: RequestOf<typeof getSiteEnergy>['query']) =>
        (await api.call(getSiteEnergy, { params, query })).total;
      const total = await energyOf({ ...range, resolution: '1mo' });
      await using visitor = await owner.tab();
      const { page } = visitor;
      await page.goto(`${home}/history?range=month&date=${year}-03-29`);
      const totals = card(page, 'Totals');
      const wattHours = (label: string) =>
        totals
          .locator('.figure', { has: page.getByText(label, { exact: true }) })
          .locator('data')
          .getAttribute('value');
      await totals.getByText('Saved by solar').waitFor();
      const bill = await api.call(getSiteBill, { params, query: { month: `${year}-03` } });
      const carbon = await api.call(getSiteCarbon, { params, query: { month: `${year}-03` } });
      assert.deepEqual([carbon.import_wh, carbon.covered_pct], [total.import_wh, 100]);
      const emissions = 'CO₂ of imported electricity';
      await totals.getByText(emissions).waitFor();
      assert.deepEqual(
        await Promise.all(
          ['Imported', 'Exported', 'Solar production', 'House', 'Car charged', 'Net cost', emissions].map(wattHours),
        ),
        [
          total.import_wh,
          total.export_wh,
          total.solar_wh,
          total.load_wh,
          total.car_charge_wh,
          bill.total,
          carbon.carbon_g,
        ].map(String),
      );
      await totals.getByText('Carbon intensities: Electricity Maps.').waitFor();
      await takePicture(page, 'history-carbon');
      await page.getByText('Show as table', { exact: true }).click();
      const shown = await downloaded(page, button(page, 'Download CSV'));
      const days = await downloaded(page, button(page, 'Download CSV (per day)'));
      assert.equal(days.lines.length, 32);
      for (const [lines, name] of [
        [shown.lines, '"From grid'],
        [days.lines, 'import_wh'],
      ] as const) {
        const column = lines[0]!.split(/,(?! )/).findIndex((title) => title.startsWith(name));
        const sum = lines.slice(1).reduce((so, line) => so + Number(line.split(',')[column]), 0);
        assert.equal(sum, total.import_wh, name);
      }
      for (const resolution of ['15m', '1h', '1d', '1y'] as const) {
        assert.deepEqual(await energyOf({ ...range, resolution }), total, resolution);
      }
      const { devices } = await api.call(getSiteDeviceEnergy, { params, query: range });
      const used = page.getByRole('table', { name: 'Used and exported' });
      const charger = devices.find(({ kind }) => kind === 'ev_charger_port')!;
      await used.locator(`tr:has-text("EV charger") data[value="${charger.in_wh}"]`).waitFor();
    },
  );

  await t.test('the page of the site shows the carbon dioxide of today once an hour of it is known', async () => {
    const midnight = startOfDate('Europe/Stockholm', dateAt('Europe/Stockholm', Date.now()));
    const yesterday = { from: String(midnight - dayMs), to: String(midnight), resolution: '1d' } as const;
    await until(
      () => api.call(getSiteEnergy, { params, query: yesterday }),
      ({ total }) => total.coverage_pct > 99, // its history is being written
      60_000,
    );
    const quarter = Math.floor((Date.now() - 40_000) / quarterMs) * quarterMs;
    const query = { from: String(midnight), to: String(quarter) };
    const { carbon_g } = quarter > midnight ? await api.call(getSiteCarbon, { params, query }) : { carbon_g: null };
    await using visitor = await owner.tab();
    const { page } = visitor;
    await goSettled(page, home);
    const tile = page.locator('.tile', { hasText: 'CO₂ of imported electricity' });
    await page.locator('.tile', { hasText: 'Saved today' }).getByText('yesterday').waitFor();
    if (carbon_g !== null) assert.match((await tile.textContent())!, /\d kg(Today|Yesterday) by \d\d:00/);
    else assert.equal(await tile.count(), 0);
    await takePicture(page, 'today');
  });

  await t.test('a cost that cannot be loaded is not that of another range, and the energy stays', async () => {
    await using visitor = await owner.tab();
    const { page } = visitor;
    const totals = card(page, 'Totals');
    const saved = totals.getByText('Saved by solar', { exact: true });
    const date = new Date(Date.now() - 40 * dayMs).toISOString().slice(0, 10); // nights and new months have no solar energy
    await page.goto(`${home}/history?range=month&date=${date}`);
    await saved.waitFor();
    const refused = { type: 'about:blank', title: 'Unavailable', status: 503, code: 'unavailable' };
    await page.route('**/bill?*', (route) => route.fulfill({ status: 503, json: refused }));
    await choose(page, 'Week');
    await totals.getByRole('alert').waitFor();
    assert.equal(await saved.count(), 0);
    await totals.getByText('Imported', { exact: true }).waitFor();
    await page.unroute('**/bill?*');
    await button(totals, 'Try again').click();
    await saved.waitFor();
  });

  await t.test('history is read as a chart, by keyboard, as a table and as files', async () => {
    await using visitor = await owner.tab();
    const { page } = visitor;
    await page.goto(`${home}/history`);
    await page.getByRole('application', { name: 'Energy per hour' }).locator('canvas').waitFor();
    await choose(page, 'Power');
    await page.waitForURL(/view=power/);
    const chart = page.getByRole('application', { name: 'Power' });
    await chart.locator('canvas').waitFor();
    await chart.focus();
    await page.keyboard.press('ArrowRight');
    await page.getByText(/^\d+ \w+ \d{4}, \d\d:\d\d: .*House [\d.]+ k?W/).waitFor({ state: 'attached' });

    await page.getByText('Show as table', { exact: true }).click();
    const rows = page.getByRole('table', { name: 'Power' }).getByRole('row');
    await rows.nth(1).waitFor();
    const before = await rows.count();
    const shown = await downloaded(page, button(page, 'Download CSV'));
    assert.match(shown.name, /^power\.csv$/);
    assert.match(shown.lines[0]!, /^time.*House/i);
    const counts = [before, await rows.count()]; // another five minutes may be complete by now
    assert.ok(counts.includes(shown.lines.length), `${shown.lines.length} lines, ${counts.join(' or ')} rows`);
    const all = await downloaded(page, button(page, 'Download CSV (per minute)'));
    assert.match(all.name, /\.csv$/);
    assert.ok(all.lines.length > 1, `${all.lines.length} lines`);

    await choose(page, 'Devices');
    await page.getByLabel('Device', { exact: true }).selectOption({ label: 'Simulated hybrid inverter, battery' });
    await page.waitForURL(/der=der-/);
    await page.getByRole('application', { name: /^Power, Simulated hybrid inverter, battery/ }).waitFor();
  });
}
