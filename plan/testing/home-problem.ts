import { type PeakFee, type PlanProblem, type PlanStorage, planFormat } from '#contract/plan.ts';
import { battery } from './problem-of.ts';

export type HomeOptions = {
  quarters: number;
  /** hours that follow the quarters of an hour */
  hours?: number;
  cars?: number;
  fee?: 'price per kW' | 'tiers';
};

const startMs = Date.parse('2026-01-08T00:00:00+01:00'); // a Thursday
const quarterMs = 900_000;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Returns a reproducible home in winter: its load, sun, prices, battery, car and power charge differ by seed. */
export function homeProblem(
  seed: number,
  { quarters, hours = 0, cars = 0, fee = 'price per kW' }: HomeOptions,
): PlanProblem {
  const next = randomFrom(seed);
  const steps_s = [...Array<number>(quarters).fill(900), ...Array<number>(hours).fill(3600)];
  const starts = steps_s.map((_, t) => (t < quarters ? t * quarterMs : quarters * quarterMs + (t - quarters) * hourMs));
  const dayFactors = Array.from({ length: Math.ceil(starts.at(-1)! / dayMs) + 1 }, () => 0.6 + next());
  const market = starts.map((ms) => {
    const hour = hourOf(ms);
    const shape = 0.5 + bump(hour, 8, 2) * 0.7 + bump(hour, 18, 2.5);
    return dayFactors[Math.floor(ms / dayMs)]! * shape + 0.1 * next();
  });
  const sunW = seed % 3 === 0 ? 0 : 2000 + 2000 * (seed % 4);
  const storages: PlanStorage[] = [
    {
      ...battery,
      capacity_wh: [5000, 10_000, 13_500][seed % 3]!,
      max_wh: [5000, 10_000, 13_500][seed % 3]!,
      min_wh: seed % 2 === 0 ? 500 : 0,
      start_wh: 1000 + 3000 * next(),
      charge_efficiency: 0.95,
      discharge_efficiency: 0.95,
      end_value_per_kwh: 0.6,
      wear_per_kwh: 0.02 * (seed % 4),
    },
  ];
  for (let n = 0; n < cars; n++) storages.push({ ...carOf(seed + n, starts, next), id: `car ${n + 1}` });
  return {
    format: planFormat,
    start: new Date(startMs).toISOString(),
    timezone: 'Europe/Stockholm',
    steps_s,
    import_price: market.map((price) => price * 1.25 + 0.4),
    export_price: market.map((price) => price - 0.05),
    load_w: starts.map((ms) => {
      const hour = hourOf(ms);
      return 300 + 1200 * bump(hour, 7.5, 1.5) + 2200 * bump(hour, 18, 2) + 600 * next() + (next() < 0.04 ? 2500 : 0);
    }),
    solar_w: starts.map((ms) => sunW * Math.max(0, Math.sin(((hourOf(ms) - 8) / 8) * Math.PI)) * (0.3 + 0.7 * next())),
    solar_curtailable: seed % 2 === 0,
    grid: seed % 4 === 0 ? { import_limit_w: 13_800 } : {},
    storages,
    peak_fees: [feeOf(seed, fee)],
  };
}

function carOf(seed: number, starts: readonly number[], next: () => number): PlanStorage {
  const leaves = 7 + (seed % 2) * 0.5;
  const returns = 16 + (seed % 3);
  const isHere = starts.map((ms) => hourOf(ms) < leaves || hourOf(ms) >= returns);
  const isLastOf = (t: number): boolean => isHere[t]! && isHere[t + 1] === false;
  return {
    ...battery,
    kind: 'car',
    capacity_wh: 60_000,
    max_wh: 60_000,
    start_wh: 25_000 + 5000 * next(),
    charge_w: seed % 2 === 0 ? 11_000 : 7400,
    charge_min_w: seed % 2 === 0 ? 4140 : 1380,
    discharge_w: 0,
    charge_efficiency: 0.9,
    end_value_per_kwh: 0.5,
    present: isHere,
    use_wh: starts.map((_, t) => (t > 0 && isHere[t - 1]! && !isHere[t]! ? 6000 + 6000 * next() : 0)),
    goals: starts.flatMap((_, t) => (isLastOf(t) ? [{ step: t, wh: seed % 3 === 0 ? 48_000 : 36_000 }] : [])),
  };
}

/** Returns a power charge; the earlier peaks of the month leave it to the plan whether it grows. */
function feeOf(seed: number, form: HomeOptions['fee']): PeakFee {
  const common = {
    period: 'month',
    window_s: 3600,
    count: seed % 4 === 1 ? 1 : 3,
    one_per_day: seed % 5 !== 4,
  } as const;
  const peaks_so_far = [
    { day: '2026-01-03', kw: 3.1 },
    { day: '2026-01-05', kw: 2.6 },
  ];
  if (form === 'price per kW') return { ...common, peaks_so_far, price_per_kw: 35 + 10 * (seed % 4) };
  const tiers = [2, 5, 10, 15, 20, 25].map((up_to_kw, n) => ({ up_to_kw, fee: [125, 200, 325, 450, 575, 700][n]! }));
  return { ...common, peaks_so_far: seed % 2 === 0 ? peaks_so_far.slice(1) : peaks_so_far, tiers };
}

const hourOf = (ms: number): number => (ms % dayMs) / hourMs;

const bump = (hour: number, middle: number, width: number): number => Math.exp(-(((hour - middle) / width) ** 2));

function randomFrom(seed: number): () => number {
  let state = seed * 7919 + 17;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x80000000;
  };
}
