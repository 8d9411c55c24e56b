import type { PeakFee, PlanReplayCase } from '#contract/plan.ts';
import { dayMs, hourMs } from '#contract/time.ts';
import { plan } from '#plan/planner.ts';
import { replay } from '#plan/rolling/replay.ts';
import type { Series } from '#plan/rolling/world.ts';
import { costOf } from '#plan/schedule.ts';
import { selfConsumption } from '#plan/self-consumption.ts';
import { householdLoad, solarTime } from '#sim/house/household.ts';
import { noise } from '#sim/house/noise.ts';
import type { Outcome } from './proof.ts';

const learnedDays = 35;
const days = learnedDays + 31;
const place = { latitude: 60, longitude: 11 };
const leastShare = 0.5; // of what knowing the future would save, compared with self-consumption
const hindsightMs = 60_000;

const month = { period: 'month', window_s: 3600 } as const;
const fees: readonly PeakFee[] = [
  { ...month, count: 1, one_per_day: true, price_per_kw: 80 },
  { ...month, count: 3, one_per_day: true, price_per_kw: 60 },
  { ...month, count: 3, one_per_day: false, price_per_kw: 60 },
];

/** Returns the home of the simulation for two months of winter, with a market whose evenings are dear. */
function homeOf(seed: number): { replayCase: PlanReplayCase; series: Series } {
  const startMs = Date.parse('2026-01-01T00:00:00+01:00') - (learnedDays + (seed % 3)) * dayMs;
  const of = (value: (ms: number, hour: number) => number): Float64Array =>
    Float64Array.from({ length: days * 24 }, (_, n) => value(startMs + n * hourMs, n % 24));
  const sunW = seed % 2 === 0 ? 6000 : 0;
  const market = of((ms, hour) => {
    const evening = Math.exp(-(((hour - 18) / 2.5) ** 2)) + 0.6 * Math.exp(-(((hour - 8) / 2) ** 2));
    return (0.5 + noise(seed, ms, 3 * dayMs)) * (0.6 + 0.9 * evening) + 0.1 * noise(seed + 1, ms, hourMs);
  });
  const fixed_price = of((_, hour) => (hour >= 6 && hour < 22 ? 0.4 : 0.3));
  const load_w = of((ms) => {
    let sum = 0;
    for (let part = 0; part < 6; part++) {
      const at = ms + ((part + 0.5) * hourMs) / 6;
      sum += householdLoad(at, solarTime(at, place.longitude), { latitude: place.latitude, seed }) / 6;
    }
    return sum;
  });
  const series: Series = {
    startMs,
    stepMs: hourMs,
    load_w,
    solar_w: of(
      (ms, hour) => Math.max(0, sunW * Math.sin(((hour - 8) / 7) * Math.PI)) * noise(seed + 2, ms, 8 * hourMs),
    ),
    import_price: market.map((price, n) => price * 1.25 + fixed_price[n]!),
    export_price: market,
    priceKnownAt: of((ms) => Math.floor((ms - startMs) / dayMs) * dayMs + startMs - 11 * hourMs),
    fixed_price,
  };
  const capacity_wh = [5000, 10_000, 13_500][seed % 3]!;
  const replayCase: PlanReplayCase = {
    format: 'ohmstead-plan-1',
    timezone: 'Europe/Oslo',
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
        charge_w: capacity_wh / 2,
        discharge_w: capacity_wh / 2,
        charge_efficiency: 0.95,
        discharge_efficiency: 0.95,
      },
    ],
    peak_fees: [fees[seed % fees.length]!],
    replay: {
      evaluate_from: new Date(startMs + learnedDays * dayMs).toISOString(),
      evaluate_to: new Date(startMs + days * dayMs).toISOString(),
      reacts: true,
    },
  };
  return { replayCase, series };
}

type Trial = { isPeakIgnored?: boolean };

/** Lives through home-months, and counts those in which plans save too little of what knowing the future would save. */
export async function liveThrough(count: number, { isPeakIgnored = false }: Trial = {}): Promise<Outcome> {
  const notes: string[] = [];
  for (let seed = 1; seed <= count; seed++) {
    const { replayCase, series } = homeOf(seed);
    const { peak_fees, ...withoutFees } = replayCase;
    const lived = replay(isPeakIgnored ? withoutFees : replayCase, series);
    const problem = { ...lived.problem, ...(peak_fees && { peak_fees }) };
    const realised = costOf(problem, lived.schedule).total;
    const hindsight = (await plan(problem, { timeLimitMs: hindsightMs })).cost.total;
    const without = costOf(problem, selfConsumption(problem)).total;
    const share = (without - realised) / (without - hindsight);
    const figures = `self-consumption ${without.toFixed(0)}, plans ${realised.toFixed(0)}, knowing the future ${hindsight.toFixed(0)}`;
    if (share < leastShare) notes.push(`home ${seed}: ${figures}, ${(share * 100).toFixed(0)} % of the saving`);
  }
  return { tried: count, failed: notes.length, notes };
}
