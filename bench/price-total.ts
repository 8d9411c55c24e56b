import { dayMs } from '#contract/time.ts';
import { makeBill } from '#price/total/bill.ts';
import { resolveTerms } from '#price/total/terms.ts';
import { priceRange, totalPrice } from '#price/total/total-price.ts';
import { openPrice } from '#test/price/open-price.ts';
import { timesOf } from './history/time.ts';
import { type Finding, type Goal, measured } from './measure/finding.ts';

const runs = 15;
const quarterMs = 900_000;
const from = Date.parse('2025-01-13T23:00:00Z');
const to = Date.parse('2026-01-13T23:00:00Z');
const goteborg = '2d3d3e89-9fb0-4db4-be93-806a0e891fe8';

const under = (atMost: number): Goal => ({ of: 'value', atMost });

/** Measures a year of quarter-hours: the price of each, and an invoice. */
export async function priceTotal(): Promise<Finding[]> {
  await using price = await openPrice();
  const { prices, tariffs, places, clock } = price.service;
  const deps = { prices, book: tariffs.book, places, clock };
  for (let start = from; start < to; start += 100 * dayMs) {
    await price.get(`/price/total?area=SE3&from=${start}&to=${Math.min(start + 100 * dayMs, to)}`);
    price.clock.advance(60_000); // the market allows 300 requests a minute
  }

  const terms = { area: 'SE3', tariff_id: goteborg, markup: 0.05 };
  const asked = { ...terms, from: String(from), to: String(to), resolution: 'PT15M' } as const;
  const resolved = await resolveTerms(asked, deps);
  const { intervals: priced } = await priceRange(resolved, { from, to, stepMs: quarterMs }, deps);
  if (priced.length !== 365 * 96) throw new Error(`${priced.length} quarter-hours are priced`);

  const intervals = priced.map(({ start }, n) => ({
    start: new Date(start).toISOString(),
    import_kwh: Math.round((0.3 + 0.25 * Math.sin(n / 15)) * 1000) / 1000,
  }));
  const body = { ...terms, intervals };
  const csv = ['start,import_kwh', ...intervals.map(({ start, import_kwh }) => `${start},${import_kwh}`)].join('\n');
  const query = new URLSearchParams({ ...asked, markup: String(asked.markup) });
  const bytes = Buffer.byteLength(await totalPrice(asked, deps));

  return [
    measured(
      `prices of ${priced.length} quarter-hours`,
      'ms',
      await timesOf(runs, () => priceRange(resolved, { from, to, stepMs: quarterMs }, deps)),
      under(100),
    ),
    measured(
      `the same as JSON of ${(bytes / 1e6).toFixed(1)} MB`,
      'ms',
      await timesOf(runs, () => totalPrice(asked, deps)),
      under(500),
    ),
    measured('the same as a request', 'ms', await timesOf(runs, () => price.get(`/price/total?${query.toString()}`))),
    measured('bill of the year', 'ms', await timesOf(runs, () => makeBill(body, deps)), under(200)),
    measured('the same as a request of JSON', 'ms', await timesOf(runs, () => price.post('/price/bill', body))),
    measured(
      'the same as a request of CSV',
      'ms',
      await timesOf(runs, () => price.post('/price/bill?area=SE3&markup=0.05', csv, 'text/csv')),
    ),
  ];
}
