import { type SiteKnowledge, wearShare } from '#cloud/plans/site-problem.ts';
import type { PlanDer } from '#cloud/store/plans.ts';
import { type EnergySeries, energySeries, quarterMs } from '#contract/cloud/energy.ts';
import { defaultPlanGoals } from '#contract/cloud/plans.ts';
import type { PlanReplayCase } from '#contract/plan.ts';
import type { MarginalPrice, PowerCharge } from '#contract/price/marginal.ts';
import { dayMs, formatTime, hourMs, minuteMs } from '#contract/time.ts';
import { addDays, dateAt, startOfDate, wallAt } from '#contract/time-zone.ts';
import { problemOf } from '#plan/rolling/replay.ts';
import type { Series } from '#plan/rolling/world.ts';
import { noise } from '#sim/house/noise.ts';
import { streetHome } from '#sim/street-gateways/street-homes.ts';
import { batteryOf, fixedPriceAt, housePowers, marketPrices, spotShare } from './home-months.ts';

const timeZone = 'Europe/Stockholm';
const learnedDays = 35;
const spotDays = 21; // before a plan, of which it knows the spot prices
const aheadDays = 62; // the end of the next month

/** A power charge of a month, charged for the mean of the highest hours of some days. */
type Charge = Pick<PowerCharge, 'name' | 'count' | 'price_per_kw'> & { isCounted(ms: number): boolean };

const isWorkingHour = (ms: number): boolean => {
  const wall = new Date(wallAt(timeZone, ms));
  const [weekday, hour] = [wall.getUTCDay(), wall.getUTCHours()];
  return weekday >= 1 && weekday <= 5 && hour >= 7 && hour < 19;
};

const charges: readonly Charge[] = [
  { name: 'three working days from 7 to 19', count: 3, price_per_kw: 90, isCounted: isWorkingHour },
  { name: 'the three highest days', count: 3, price_per_kw: 60, isCounted: () => true },
  { name: 'the highest hour', count: 1, price_per_kw: 80, isCounted: () => true },
];

export type PlannedHome = ReturnType<typeof plannedHome>;

/**
 * Returns a house of the street with a battery in a month of winter: its powers minute by minute, and the same month as an hourly
 * problem. A sauna is heated on some evenings, at an unknown hour.
 */
export function plannedHome(seed: number, { hasSauna = false } = {}) {
  const charge = charges[seed % charges.length]!;
  const month = seed % 2 === 1 ? '2026-01' : '2026-02';
  const from = startOfDate(timeZone, `${month}-01`);
  const to = startOfDate(timeZone, `${addDays(`${month}-28`, 4).slice(0, 7)}-01`);
  const startMs = from - learnedDays * dayMs;
  const hours = (to - startMs) / hourMs;
  const minutes = { startMs, stepMs: minuteMs, count: hours * 60, constantMs: minuteMs };
  const { load_w, solar_w } = housePowers(seed, minutes);
  if (hasSauna) for (const minute of load_w.keys()) load_w[minute]! += saunaW(seed, startMs + minute * minuteMs);
  const series: Series = {
    ...marketPrices(seed, startMs, hours),
    load_w: hourlyMeans(load_w),
    solar_w: hourlyMeans(solar_w),
  };
  const meanPrice = meanOf(series.import_price.slice(learnedDays * 24));
  const { isCounted, ...fee } = charge;
  const replayCase: PlanReplayCase = {
    format: 'ohmstead-plan-1',
    timezone: timeZone,
    solar_curtailable: false,
    grid: {},
    storages: [
      {
        ...batteryOf(seed),
        to_grid: false,
        end_value_per_kwh: 0.9 * meanPrice,
        wear_per_kwh: wearShare * meanPrice,
      },
    ],
    peak_fees: [
      {
        ...fee,
        period: 'month',
        window_s: 3600,
        one_per_day: true,
        counted: Array.from({ length: hours }, (_, n) => isCounted(startMs + n * hourMs)),
      },
    ],
    replay: { evaluate_from: formatTime(from), evaluate_to: formatTime(to), reacts: true },
  };
  const problem = problemOf(replayCase, series, learnedDays * 24, hours);
  return { seed, charge, from, to, load_w, solar_w, series, replayCase, problem };
}

const meanOf = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0) / values.length;

const hourlyMeans = (values: Float64Array): Float64Array =>
  Float64Array.from({ length: values.length / 60 }, (_, hour) => meanOf(values.subarray(60 * hour, 60 * hour + 60)));

/** Returns the power of a sauna that is heated for 1.5 hours on 10 to 18 evenings of a month, W. */
function saunaW(seed: number, ms: number): number {
  const wall = wallAt(timeZone, ms);
  const day = Math.floor(wall / dayMs) * dayMs;
  if (noise(seed + 70, day, dayMs / 8) < 0.62) return 0;
  const since = (wall - day) / hourMs - (17 + 4 * noise(seed + 71, day, dayMs / 8));
  if (since < 0 || since >= 1.5) return 0;
  return since < 0.7 ? 6000 : 3000;
}

const der = (no: number, type: PlanDer['type']): PlanDer => ({
  id: type,
  no,
  type,
  name: type,
  device: type,
  device_type: 'inverter',
  sn: `SN${no}`,
  serial: 'gateway',
});
const battery = der(3, 'battery');
const ders = [der(1, 'meter'), der(2, 'solar'), battery];

/** The energy of a home in quarters of an hour since its series begins, Wh. */
export type Measured = Record<EnergySeries, Float64Array>;

/** Returns the energy of a month, in which only load and sun are known. */
export function loadAndSun({ series, to, load_w, solar_w }: PlannedHome): Measured {
  const length = (to - series.startMs) / quarterMs;
  const measured = Object.fromEntries(energySeries.map((name) => [name, new Float64Array(length)])) as Measured;
  for (const minute of load_w.keys()) {
    const quarter = Math.floor((minute * minuteMs) / quarterMs);
    measured.load[quarter]! += load_w[minute]! / 60;
    measured.solar[quarter]! += solar_w[minute]! / 60;
  }
  return measured;
}

type Now = { now: number; level: number; measured: Measured; countedDays: number };

/** Returns what the platform knows of a home at a time. Prices name the times that count from `countedDays` before. */
export function knowledgeAt(home: PlannedHome, { now, level, measured, countedDays }: Now): SiteKnowledge {
  const { startMs } = home.series;
  const { capacity_wh, charge_w } = home.problem.storages[0]!;
  const { latitude, longitude } = streetHome(home.seed - 1);
  const count = (now - startMs) / quarterMs;
  const series = Object.fromEntries(energySeries.map((name) => [name, measured[name].subarray(0, count)])) as Measured;
  const values = { SoC_nom_fract: level / capacity_wh, capacity_Wh: capacity_wh, rated_power_W: charge_w };
  return {
    now,
    timeZone,
    site: { latitude, longitude },
    goals: { site_id: 'site', ...defaultPlanGoals, mode: 'control' },
    fuse_a: undefined,
    prices: pricesAt(home, now, countedDays),
    quarters: {
      from: startMs,
      to: now,
      series,
      estimated: new Float64Array(count),
      coveredS: new Float64Array(count).fill(quarterMs / 1000),
    },
    ders,
    readings: new Map([[battery.no, { at: now, values }]]),
  };
}

function pricesAt({ series, charge }: PlannedHome, now: number, countedDays: number): MarginalPrice {
  const today = startOfDate(timeZone, dateAt(timeZone, now));
  const { isCounted, ...power } = charge;
  const spot: MarginalPrice['spot'] = [];
  const first = Math.max(0, (today - series.startMs) / hourMs - spotDays * 24);
  for (let n = first; n < series.export_price.length; n++) {
    if (series.priceKnownAt[n]! > now) break;
    spot.push({ ...hourAt(series.startMs + n * hourMs), price: series.export_price[n]! });
  }
  const hours = Array.from(
    { length: (countedDays + aheadDays) * 24 },
    (_, n) => today + (n - countedDays * 24) * hourMs,
  );
  return {
    area: 'SE3',
    tariff_id: null,
    currency: 'SEK',
    timezone: timeZone,
    terms: hours
      .filter((ms) => ms >= today)
      .map((ms) => ({
        ...hourAt(ms),
        import_fixed: fixedPriceAt(new Date(wallAt(timeZone, ms)).getUTCHours()),
        import_spot: spotShare,
        export_fixed: 0,
        export_spot: 1,
      })),
    spot,
    power_charges: [
      {
        ...power,
        window_s: 3600,
        one_per_day: true,
        counted: hours.filter(isCounted).map((ms) => ({ ...hourAt(ms), weight: 1 })),
      },
    ],
    is_simulated: true,
    notes: [],
  };
}

const hourAt = (ms: number): { start: string; end: string } => ({
  start: formatTime(ms),
  end: formatTime(ms + hourMs),
});

/** Returns the step of the hourly problem that an instant of the month is in. */
export const hourOf = ({ from }: Pick<PlannedHome, 'from'>, ms: number): number => Math.floor((ms - from) / hourMs);
