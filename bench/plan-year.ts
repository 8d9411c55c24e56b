import type { PeakFee, PlanReplayCase } from '#contract/plan.ts';
import type { MarginalPrice } from '#contract/price/marginal.ts';
import { dayMs, hourMs } from '#contract/time.ts';
import { startOfDate } from '#contract/time-zone.ts';
import { plan } from '#plan/planner.ts';
import { replay } from '#plan/rolling/replay.ts';
import type { Series } from '#plan/rolling/world.ts';
import { costOf } from '#plan/schedule.ts';
import { createHouse, defaultSizes } from '#sim/house.ts';
import { findNamed } from '#sim/market/domains.ts';
import { marketDays } from '#sim/market/market-days.ts';
import { homeModel } from '#stack/demo/house.ts';
import { shippedCalculator } from '#test/price/known-calculator.ts';
import { type Finding, measured } from './measure/finding.ts';

const timezone = 'Europe/Stockholm';
const tariffId = '7ce52af7-8a6f-5576-9b42-a2a2c152bf5e'; // of the demo home
const perEuro = 11;
const from = startOfDate(timezone, '2026-01-01');
const to = startOfDate(timezone, '2027-01-01');
const learnedFrom = from - 35 * dayMs;
const chunkMs = 60 * dayMs; // of marginal prices
const maxReplayS = 15 * 60;
const hindsightMs = 600_000;

/** Lives through a year of the demo home, and compares plans with other ways of using its battery. */
export async function planYear(): Promise<Finding[]> {
  const { replayCase, series } = await homeYear();
  const began = process.cpuUsage();
  const planned = replay(replayCase, series);
  const seconds = process.cpuUsage(began).user / 1e6;
  const { peak_fees: _, ...withoutFees } = replayCase;
  const ignoring = replay(withoutFees, series);
  const future = await plan(planned.problem, { timeLimitMs: hindsightMs });
  const of = (what: string, { total, energy, peaks }: { total: number; energy: number; peaks: number }): Finding[] => [
    measured(what, 'SEK', [total]),
    { ...measured(what, 'SEK', [energy]), part: 'energy' },
    { ...measured(what, 'SEK', [peaks]), part: 'power charges' },
  ];
  return [
    ...of('no battery', planned.noStorage),
    ...of('self-consumption', planned.selfConsumption),
    ...of('plans that ignore power charges', costOf(planned.problem, ignoring.schedule)),
    ...of('plans', planned.cost),
    ...of('knowing the future', future.cost),
    measured('plans above knowing the future', '%', [(planned.cost.total / future.cost.total - 1) * 100], {
      of: 'value',
      atMost: 2.5,
    }),
    measured('processor time of the year', 's', [seconds], { of: 'value', atMost: maxReplayS }),
  ];
}

/** Returns the demo home, whose car charges when it is connected, with its tariff and the simulated market. */
async function homeYear(): Promise<{ replayCase: PlanReplayCase; series: Series }> {
  const count = (to - learnedFrom) / hourMs;
  const days = marketDays(findNamed('SE3')!, learnedFrom, to);
  const spot = new Float64Array(count);
  const priceKnownAt = new Float64Array(count);
  for (const { prices, publishedAt } of days)
    for (const { start, end, price } of prices) {
      const hour = Math.floor((start - learnedFrom) / hourMs);
      if (hour < 0 || hour >= count) continue;
      spot[hour]! += ((price * perEuro) / 1000) * ((end - start) / hourMs);
      priceKnownAt[hour] = publishedAt;
    }
  const { terms, power_charges } = await tariff();
  const termAt = (ms: number) => terms.find(({ end }) => Date.parse(end) > ms) ?? terms.at(-1)!;
  const termOf = spot.map((_, n) => terms.indexOf(termAt(learnedFrom + n * hourMs)));
  const load_w = new Float64Array(count);
  const solar_w = new Float64Array(count);
  const sizes = { ...defaultSizes, battery_W: 0 };
  const house = createHouse({ ...homeModel, clock: { now: () => learnedFrom }, stepMs: 5 * 60_000, sizes });
  let before = house.at(learnedFrom).Wh;
  for (let n = 0; n < count; n++) {
    const { Wh } = house.at(learnedFrom + (n + 1) * hourMs);
    solar_w[n] = Wh.generated - before.generated;
    load_w[n] = Math.max(0, Wh.imported - before.imported - (Wh.exported - before.exported) + solar_w[n]!);
    before = Wh;
  }
  const series: Series = {
    startMs: learnedFrom,
    stepMs: hourMs,
    load_w,
    solar_w,
    import_price: spot.map((price, n) => terms[termOf[n]!]!.import_fixed + terms[termOf[n]!]!.import_spot * price),
    export_price: spot.map((price, n) => terms[termOf[n]!]!.export_fixed + terms[termOf[n]!]!.export_spot * price),
    priceKnownAt,
    fixed_price: spot.map((_, n) => terms[termOf[n]!]!.import_fixed),
  };
  const capacity_wh = defaultSizes.batteryCapacity_Wh;
  const replayCase: PlanReplayCase = {
    format: 'ohmstead-plan-1',
    timezone,
    solar_curtailable: true,
    grid: {},
    storages: [
      {
        id: 'battery',
        kind: 'battery',
        capacity_wh,
        min_wh: capacity_wh / 10,
        max_wh: capacity_wh,
        start_wh: capacity_wh / 2,
        charge_w: defaultSizes.battery_W,
        discharge_w: defaultSizes.battery_W,
        charge_efficiency: 0.95,
        discharge_efficiency: 0.95,
        to_grid: false,
      },
    ],
    peak_fees: [feeOf(power_charges, count)],
    replay: { evaluate_from: new Date(from).toISOString(), evaluate_to: new Date(to).toISOString(), reacts: true },
  };
  return { replayCase, series };
}

async function tariff(): Promise<Pick<MarginalPrice, 'terms' | 'power_charges'>> {
  const { calculator } = await shippedCalculator({ spot: () => 50 });
  const found: Pick<MarginalPrice, 'terms' | 'power_charges'> = { terms: [], power_charges: [] };
  for (let start = learnedFrom; start < to; start += chunkMs) {
    const range = { from: start, to: Math.min(to, start + chunkMs) };
    const part = await calculator.marginalPrice({ area: 'SE3', tariff_id: tariffId, timezone, ...range });
    found.terms.push(...part.terms);
    found.power_charges.push(...part.power_charges);
  }
  return found;
}

/** Returns the charges of all seasons, which differ by their price only, as one with weights. */
function feeOf(charges: MarginalPrice['power_charges'], count: number): PeakFee {
  const highest = Math.max(...charges.map(({ price_per_kw = 0 }) => price_per_kw));
  const weight = new Array<number>(count).fill(0);
  for (const { counted, price_per_kw = 0 } of charges)
    for (const span of counted) {
      const [first, end] = [span.start, span.end].map((time) => (Date.parse(time) - learnedFrom) / hourMs);
      weight.fill((span.weight * price_per_kw) / highest, Math.max(0, Math.floor(first!)), Math.min(count, end!));
    }
  const { window_s, count: peaks, one_per_day } = charges[0]!;
  const counted = weight.map((share) => share > 0);
  return { period: 'month', window_s, count: peaks, one_per_day, price_per_kw: highest, weight, counted };
}
