import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quarterMs } from '#contract/cloud/energy.ts';
import { hourMs } from '#contract/time.ts';
import { startOfDate } from '#contract/time-zone.ts';
import { addedFee, peakPeriods } from '#plan/peaks.ts';
import { someOf } from '#test/amount.ts';
import { shippedCalculator } from '#test/price/known-calculator.ts';
import { peakFeesOf } from './peak-fees.ts';

const timeZone = 'Europe/Stockholm';
const { tariffs, calculator } = await shippedCalculator({ spot: (hour) => 20 + hour * 3 });
const [from, to] = ['2026-01-01', '2026-02-01'].map((date) => startOfDate(timeZone, date)) as [number, number];
const length = (to - from) / quarterMs;
// Hours of whole watt-hours that differ from day to day, with peaks by day and at night.
const imported = Float64Array.from(
  { length },
  (_, i) => 100 + ((Math.floor(i / 4) * 7919) % 1000) + (i % 97 === 0 ? 400 : 0),
);

const january = tariffs.filter(
  ({ direction, powerPrice, capacitySteps, validPeriod: { fromIncluding, toExcluding } }) =>
    direction === 'consumption' &&
    (powerPrice.components.length > 0 || capacitySteps?.supported) &&
    fromIncluding <= '2026-01-01' &&
    toExcluding >= '2026-02-01',
);
const areaOf = (currency: string | undefined): string =>
  currency === 'NOK' ? 'NO1' : currency === 'EUR' ? 'FI' : 'SE3';

test('the bill and the planner agree on power charges', async () => {
  const differences: string[] = [];
  let charged = 0;
  for (const tariff of someOf(january)) {
    const { components } = tariff.powerPrice;
    const currency = components[0]?.price?.currency ?? tariff.capacitySteps?.steps[0]?.price.currency;
    const terms = { area: areaOf(currency), tariff_id: tariff.id, timezone: timeZone };
    const { power_charges, notes } = await calculator.marginalPrice({ ...terms, from, to });
    if (notes.some((note) => note.startsWith('Plans leave out'))) continue;
    const intervals = Array.from(imported, (wh, i) => ({ start: from + i * quarterMs, import_kwh: wh / 1000 }));
    const { lines, metadata } = await calculator.bill({ ...terms, intervals });
    const billed = lines.filter(({ kind }) => kind === 'power').reduce((sum, { amount }) => sum + amount, 0);
    const vat = 1 + metadata.vat_percent / 100;

    // The fees of the first 20 days are those so far, and the planner adds the rest of the month.
    const now = from + 20 * 24 * hourMs;
    const known = (now - from) / quarterMs;
    const edges = Array.from({ length: length - known + 1 }, (_, i) => now + i * quarterMs);
    const past = { timeZone, imported: { from, imported: imported.subarray(0, known) } };
    const peak_fees = peakFeesOf(power_charges, edges, past);
    const importKw = imported.subarray(known).map((wh) => wh / 250);
    const steps_s = edges.slice(1).map(() => quarterMs / 1000);
    const problem = { start: new Date(now).toISOString(), timezone: timeZone, steps_s, peak_fees };
    const periods = peakPeriods(problem as Parameters<typeof peakPeriods>[0]);
    const planned = periods.reduce((sum, period) => sum + period.due + addedFee(period, importKw), 0);
    if (Math.abs(planned - billed * vat) > 0.02 * vat * Math.max(1, lines.length))
      differences.push(
        `${tariff.companyName} ${tariff.name}: ${planned.toFixed(2)} instead of ${(billed * vat).toFixed(2)}`,
      );
    if (planned > 0) charged++;
  }
  assert.deepEqual(differences, []);
  assert.ok(charged >= 15, `${charged} tariffs were compared`);
});

test('what a kWh more costs is the difference of two bills', async () => {
  const contracts = [
    {
      valid_from: '2026-01-01',
      pricing: 'spot' as const,
      markup_per_kwh: 0.05,
      export: { pricing: 'spot' as const, adjustment_per_kwh: -0.02 },
      export_grid_benefit_per_kwh: 0.06,
    },
  ];
  for (const tariff of january
    .filter(({ powerPrice }) => powerPrice.components[0]?.price?.currency === 'SEK')
    .slice(0, 3)) {
    const terms = { area: 'SE3', tariff_id: tariff.id, timezone: timeZone, contracts };
    const { terms: found, spot } = await calculator.marginalPrice({ ...terms, from, to: from + 24 * hourMs });
    for (const hour of [3, 12, 19]) {
      const start = from + hour * hourMs;
      const at = (list: readonly { start: string; end: string }[]) =>
        list.findIndex((each) => Date.parse(each.start) <= start && start < Date.parse(each.end));
      const [term, price] = [found[at(found)]!, spot[at(spot)]!.price];
      const bill = async (import_kwh: number, export_kwh: number) => {
        const { lines } = await calculator.bill({
          ...terms,
          intervals: [{ start, end: start + hourMs, import_kwh, export_kwh }],
        });
        const kinds = ['spot', 'markup', 'grid_energy', 'energy_tax', 'export', 'compensation'];
        const sum = (wanted: string[]) =>
          lines.filter(({ kind }) => wanted.includes(kind)).reduce((all, { amount }) => all + amount, 0);
        return { energy: sum(kinds.slice(0, 4)) * 1.25, income: -sum(kinds.slice(4)) };
      };
      const [none, more] = [await bill(0, 0), await bill(1000, 1000)];
      assert.ok(Math.abs((more.energy - none.energy) / 1000 - (term.import_fixed + term.import_spot * price)) < 1e-4);
      assert.ok(Math.abs((more.income - none.income) / 1000 - (term.export_fixed + term.export_spot * price)) < 1e-4);
    }
  }
});
