import type { PeakFee, PlanReplayCase, PlanStorage } from '#contract/plan.ts';
import { dayMs, hourMs, minuteMs } from '#contract/time.ts';
import { plan } from '#plan/planner.ts';
import { replay } from '#plan/rolling/replay.ts';
import type { Series } from '#plan/rolling/world.ts';
import { costOf, gridOf, missesOf } from '#plan/schedule.ts';
import { selfConsumption } from '#plan/self-consumption.ts';
import { noise } from '#sim/house/noise.ts';
import { createHouse } from '#sim/house.ts';
import { streetHome } from '#sim/street-gateways/street-homes.ts';
import type { Outcome } from './proof.ts';

const learnedDays = 35;
const days = learnedDays + 31;
const leastShare = 0.5; // of what knowing the future would save, compared with self-consumption
const hindsightMs = 60_000;

const month = { period: 'month', window_s: 3600 } as const;
const fees: readonly PeakFee[] = [
  { ...month, count: 1, one_per_day: true, price_per_kw: 80 },
  { ...month, count: 3, one_per_day: true, price_per_kw: 60 },
  { ...month, count: 3, one_per_day: false, price_per_kw: 60 },
];

type Powers = Pick<Series, 'load_w' | 'solar_w'>;

/** Returns the mean load and sun of a house of the street in each step, W. Within a step, powers change every `constantMs`. */
export function housePowers(
  seed: number,
  { startMs, stepMs, count, constantMs }: { startMs: number; stepMs: number; count: number; constantMs: number },
): Powers {
  const { model } = streetHome(seed - 1);
  const sizes = { ...model.sizes, battery_W: 0 };
  const house = createHouse({ ...model, sizes, clock: { now: () => startMs }, stepMs: constantMs });
  const [load_w, solar_w] = [new Float64Array(count), new Float64Array(count)];
  const perHour = hourMs / stepMs;
  let before = house.at(startMs).Wh;
  for (let step = 0; step < count; step++) {
    const { Wh } = house.at(startMs + (step + 1) * stepMs);
    const generated = Wh.generated - before.generated;
    solar_w[step] = generated * perHour;
    load_w[step] = (generated + (Wh.imported - before.imported) - (Wh.exported - before.exported)) * perHour;
    before = Wh;
  }
  return { load_w, solar_w };
}

export const spotShare = 1.25; // of an imported kWh
/** The price of an imported kWh that is added to the market, by local hour. */
export const fixedPriceAt = (hour: number): number => (hour >= 6 && hour < 22 ? 0.4 : 0.3);

/** Returns the hourly prices of a market whose evenings are dear, published at 13:00 for the next day. */
export function marketPrices(seed: number, startMs: number, hours: number): Omit<Series, keyof Powers> {
  const of = (value: (ms: number, hour: number) => number): Float64Array =>
    Float64Array.from({ length: hours }, (_, n) => value(startMs + n * hourMs, n % 24));
  const market = of((ms, hour) => {
    const evening = Math.exp(-(((hour - 18) / 2.5) ** 2)) + 0.6 * Math.exp(-(((hour - 8) / 2) ** 2));
    return (0.5 + noise(seed, ms, 3 * dayMs)) * (0.6 + 0.9 * evening) + 0.1 * noise(seed + 1, ms, hourMs);
  });
  const fixed_price = of((_, hour) => fixedPriceAt(hour));
  return {
    startMs,
    stepMs: hourMs,
    import_price: market.map((price, n) => price * spotShare + fixed_price[n]!),
    export_price: market,
    priceKnownAt: of((ms) => Math.floor((ms - startMs) / dayMs) * dayMs + startMs - 11 * hourMs),
    fixed_price,
  };
}

/** Returns the battery of a house, half full. */
export function batteryOf(seed: number): PlanStorage {
  const capacity_wh = [5000, 10_000, 13_500][seed % 3]!;
  return {
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
  };
}

/** Returns a house of the street with a battery for two months that begin in winter. */
export function homeOf(seed: number): { replayCase: PlanReplayCase; series: Series } {
  const startMs = Date.parse('2026-01-01T00:00:00+01:00') - (learnedDays - 15 * (seed % 5)) * dayMs;
  const count = days * 24;
  const series: Series = {
    ...housePowers(seed, { startMs, stepMs: hourMs, count, constantMs: 5 * minuteMs }),
    ...marketPrices(seed, startMs, count),
  };
  const replayCase: PlanReplayCase = {
    format: 'ohmstead-plan-1',
    timezone: 'Europe/Stockholm',
    solar_curtailable: true,
    grid: {},
    storages: [batteryOf(seed)],
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

/**
 * Lives through a month of each house, and counts those in which plans break a rule, or save too little of what knowing the
 * future would save.
 */
export async function liveThrough(count: number, { isPeakIgnored = false }: Trial = {}): Promise<Outcome> {
  const notes: string[] = [];
  const street = { without: 0, realised: 0, hindsight: 0, peakWithout: 0, peakRealised: 0 };
  for (let seed = 1; seed <= count; seed++) {
    const { replayCase, series } = homeOf(seed);
    const { peak_fees, ...withoutFees } = replayCase;
    const lived = replay(isPeakIgnored ? withoutFees : replayCase, series);
    const problem = { ...lived.problem, ...(peak_fees && { peak_fees }) };
    const own = selfConsumption(problem);
    const realised = costOf(problem, lived.schedule).total;
    const hindsight = (await plan(problem, { timeLimitMs: hindsightMs })).cost.total;
    const without = costOf(problem, own).total;
    const broken = missesOf(problem, lived.schedule).length;
    const share = (without - realised) / (without - hindsight);
    const figures = `self-consumption ${without.toFixed(0)}, plans ${realised.toFixed(0)}, knowing the future ${hindsight.toFixed(0)}`;
    if (broken > 0) notes.push(`house ${seed}: ${broken} rules broken`);
    else if (share < leastShare) notes.push(`house ${seed}: ${figures}, ${(share * 100).toFixed(0)} % of the saving`);
    street.without += without;
    street.realised += realised;
    street.hindsight += hindsight;
    street.peakWithout += peakKw(gridOf(problem, own));
    street.peakRealised += peakKw(gridOf(problem, lived.schedule));
  }
  const failed = notes.length;
  const mean = (sum: number): string => (sum / count).toFixed(2);
  notes.push(
    `a month of a house: self-consumption ${mean(street.without)}, plans ${mean(street.realised)}, knowing the future ${mean(street.hindsight)}`,
    `highest hour: self-consumption ${mean(street.peakWithout)} kW, plans ${mean(street.peakRealised)} kW`,
  );
  return { tried: count, failed, notes };
}

const peakKw = (grid: Float64Array): number => Math.max(...grid) / 1000;
