import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { CarbonRequest } from '#cloud/bill/bill-calculator.ts';
import type { SiteBill, SiteSavings } from '#contract/cloud/bill.ts';
import type { SiteCarbon } from '#contract/cloud/carbon.ts';
import { updateContract } from '#contract/cloud/contract.ts';
import { energyResolutions, type SiteEnergy } from '#contract/cloud/energy.ts';
import type { WhatIf } from '#contract/cloud/plans.ts';
import { listSites } from '#contract/cloud/sites.ts';
import type { CarbonIntensity } from '#contract/price/carbon.ts';
import { formatTime, hourMs } from '#contract/time.ts';
import { dateAt } from '#contract/time-zone.ts';
import { knownCalculator } from '#test/price/known-calculator.ts';
import { openMeteredHome } from '../testing/metered-home.ts';
import { openPlatform, type Person } from '../testing/people.ts';

/** 50 g/kWh in every hour. */
async function knownCarbon({ area, from, to }: CarbonRequest): Promise<CarbonIntensity> {
  const intervals: CarbonIntensity['intervals'] = [];
  for (let start = Math.floor(Date.parse(from) / hourMs) * hourMs; start < Date.parse(to); start += hourMs)
    intervals.push({ start: formatTime(start), end: formatTime(start + hourMs), intensity: 50 });
  const metadata = { provider: 'Known', resolved_area: area, fetched_at: null, total_points: 0, missing_hours: 0 };
  return { area, unit: 'g/kWh', intervals, metadata };
}

suite('the energy and the bill of a site', { timeout: 60_000 }, () => {
  let platform: Awaited<ReturnType<typeof openPlatform>>;
  let person: Person;
  let range: string[];
  before(async () => {
    platform = await openPlatform({}, { ...knownCalculator({ spot: () => 100 }), carbon: knownCarbon });
    const home = await openMeteredHome(platform);
    person = home.person;
    range = ['--from', formatTime(home.begin), '--to', formatTime(home.end)];
    const [site] = await Array.fromAsync(home.api.pages(listSites, { query: {} }));
    const periods = [{ valid_from: '2020-01-01', pricing: 'fixed' as const, fixed_price_per_kwh: 2, vat_percent: 0 }];
    await home.api.call(updateContract, { params: { site_id: site!.id }, body: { periods } });
  });
  after(() => platform.close());

  test('have the same energy', async () => {
    const { total, intervals } = await person.result<SiteEnergy>('energy', ...range, '--resolution', '15m');
    assert.deepEqual([total.import_wh, intervals.length], [3000, 4]);
    const { metadata, lines } = await person.result<SiteBill>('bill', ...range);
    assert.equal(metadata.import_kwh, 3);
    assert.deepEqual([lines[0]?.kind, lines[0]?.amount], ['energy', 6]);
    const savings = await person.result<SiteSavings>('savings', ...range);
    assert.deepEqual(savings.saved, { battery: 0, solar: 0 });
    const carbon = await person.result<SiteCarbon>('carbon', ...range);
    assert.deepEqual([carbon.import_wh, carbon.carbon_g, carbon.covered_pct], [3000, 150, 100]);
  });

  for (const resolution of energyResolutions) {
    test(`have the same total by ${resolution}`, async () => {
      const asked = ['energy', ...range, '--resolution', resolution];
      const { total, intervals } = await person.result<SiteEnergy>(...asked);
      const [head = '', ...rows] = (await person.run(...asked, '--csv')).out.trimEnd().split('\n');
      const column = head.split(',').indexOf('import_wh');
      const sums = [
        total.import_wh,
        intervals.reduce((sum, { import_wh }) => sum + import_wh, 0),
        rows.reduce((sum, row) => sum + Number(row.split(',')[column]), 0),
      ];
      assert.deepEqual(sums, [3000, 3000, 3000]);
      assert.match((await person.run(...asked)).out, /^Total +3\.000 /m);
    });
  }

  test('are shown as tables', async () => {
    const energy = await person.run('energy', ...range, '--resolution', '1h');
    assert.equal(energy.code, 0, energy.err);
    assert.match(energy.out, /^kWh, Europe\/Stockholm +IMPORT +EXPORT .*\n/);
    assert.match(energy.out, /^Total +3\.000 +0\.000 /m);
    const bill = await person.run('bill', ...range);
    assert.match(bill.out, /^SE3, .* \(Europe\/Stockholm\): 3 kWh used$/m);
    assert.match(bill.out, /^Energy at a fixed price +3 +kWh +2\.0000 +6\.00$/m);
    assert.match(bill.out, /^Total +\d+\.\d\d$/m);
    assert.match((await person.run('savings', ...range)).out, /^Without solar panels +\d+\.\d\d +0\.00$/m);
    const carbon = await person.run('carbon', ...range);
    assert.match(carbon.out, /^3\.000 kWh imported; 0\.15 kg carbon dioxide\n\nCarbon intensities of Known\.$/m);
  });

  test('are printed as CSV', async () => {
    const energy = await person.run('energy', ...range, '--resolution', '15m', '--csv');
    assert.match(energy.out, /^start,end,import_wh,export_wh,.*\n\S+Z,\S+Z,1000,0,/);
    assert.match((await person.run('bill', ...range, '--csv')).out, /\nenergy,Energy at a fixed price,,,3,kWh,2,6\n/);
    assert.match((await person.run('savings', ...range, '--csv')).out, /^from,to,currency,actual,/);
    assert.match((await person.run('carbon', ...range, '--csv')).out, /^from,to,import_wh,.*\n.*,3000,150,100,Known$/m);
  });

  test('are calculated again for another battery', async () => {
    const found = await person.result<WhatIf>('plan', 'what-if', '--battery', '0kWh', ...range);
    assert.deepEqual([found.actual.import_wh, found.planned], [3000, found.actual]);
    const { out } = await person.run('plan', 'what-if', '--battery', '2kWh', '--battery-power', '1kW', ...range);
    assert.match(out, /^With the changes and plans +\d+\.\d\d +\d+ +0$/m);
    const dateOf = (ms: number): string => dateAt('Europe/Stockholm', ms);
    assert.ok(out.startsWith(`${dateOf(Date.parse(found.from))} to ${dateOf(Date.parse(found.to) - 1)}\n`), out);
    assert.match(out, /^Battery: 2\.0 kWh, of which the 10 % .* are not used, and 1\.0 kW\./m);
  });

  test('of the current month is projected', async () => {
    const { out } = await person.run('bill');
    assert.match(out, /^Projected: \d+\.\d\d SEK\. /m);
  });

  for (const { args, code, says } of [
    { args: ['bill', '--month', '2026-13'], code: 1, says: /^--month is not a month/ },
    { args: ['bill', '--from', 'soon'], code: 2, says: /^--from is not a valid time/ },
    { args: ['energy', '--to', 'soon'], code: 2, says: /^--to is not a valid time/ },
    { args: ['plan', 'what-if', '--battery', '10'], code: 2, says: /^--battery must be an energy such as 10kWh/ },
    { args: ['plan', 'what-if', '--solar', '6kWh'], code: 2, says: /^--solar must be a power such as 6kW/ },
    { args: ['savings', '--site', 'Elsewhere'], code: 1, says: /^No site is named "Elsewhere"/ },
  ]) {
    test(`${args.join(' ')} ends with ${code}`, async () => {
      const outcome = await person.run(...args);
      assert.deepEqual([outcome.code, says.test(outcome.err)], [code, true], outcome.err);
    });
  }
});
