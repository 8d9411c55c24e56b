import { type EnergySeries, type EnergyTotal, energySeries, quarterMs } from '#contract/cloud/energy.ts';
import { dayMs } from '#contract/time.ts';
import { listSiteDays, listSiteTotals } from '../store/energy.ts';
import type { Db } from '../store/engine.ts';
import { composeUnwritten, dayAt, type Entry, readDays } from './book.ts';
import {
  addQuarters,
  loadAt,
  noTotals,
  type SiteTotals,
  siteTotals,
  unpackSiteDay,
  unpackSiteTotals,
} from './codec.ts';
import { quartersOfDay, type SiteDay } from './site-day.ts';

/** The energy of a site by the quarter of an hour since `from`: whole Wh, and seconds in which all devices were measured. */
export type SiteQuarters = {
  from: number;
  to: number;
  series: Record<EnergySeries, Float64Array>;
  estimated: Float64Array;
  coveredS: Float64Array;
};

const copied = energySeries.filter((name) => name !== 'load');

/** Reads the quarters of a site in [from, to), which lie on quarters of an hour. */
export async function readQuarters(
  db: Db,
  siteId: string,
  from: number,
  to: number,
  unwritten: readonly Entry[],
): Promise<SiteQuarters> {
  const length = (to - from) / quarterMs;
  const column = (): Float64Array => new Float64Array(length);
  const series = Object.fromEntries(energySeries.map((name) => [name, column()])) as SiteQuarters['series'];
  const quarters: SiteQuarters = { from, to, series, estimated: column(), coveredS: column() };
  const days = await readDays(db, siteId, { from: dayAt(from), to: dayAt(to - 1) + 1 }, unwritten);
  for (const [day, values] of days) {
    const offset = (day * dayMs - from) / quarterMs;
    const [first, last] = [Math.max(0, -offset), Math.min(quartersOfDay, length - offset)];
    if (first >= last) continue;
    for (const name of copied) series[name].set(values[name].subarray(first, last), offset + first);
    for (let i = first; i < last; i++) series.load[offset + i] = loadAt(values, i);
    quarters.estimated.set(values.estimated.subarray(first, last), offset + first);
    quarters.coveredS.set(values.covered_s.subarray(first, last), offset + first);
  }
  return quarters;
}

export const addTotals = (to: SiteTotals, more: SiteTotals): void => {
  to.import += more.import;
  to.export += more.export;
  to.solar += more.solar;
  to.battery_charge += more.battery_charge;
  to.battery_discharge += more.battery_discharge;
  to.car_charge += more.car_charge;
  to.car_discharge += more.car_discharge;
  to.estimated += more.estimated;
  to.covered_s += more.covered_s;
  to.error += more.error;
};

const daysAtOnce = 14;

/** Reads the sums between each two edges, in portions. Whole days are read as sums; days with an edge are decoded. */
export async function* readSums(
  db: Db,
  siteId: string,
  edges: readonly number[],
  unwritten: readonly Entry[],
): AsyncGenerator<SiteTotals[]> {
  const fresh = await composeUnwritten(db, siteId, unwritten);
  const isFine = edges.length > 2 && (edges.at(-1)! - edges[0]!) / (edges.length - 1) < 2 * dayMs;
  if (!isFine) {
    yield sumsBetween(edges, await coarseDays(db, siteId, edges, fresh));
    return;
  }
  for (let first = 0; first < edges.length - 1; ) {
    let last = first + 1;
    while (last < edges.length - 1 && edges[last]! - edges[first]! < daysAtOnce * dayMs) last++;
    const some = edges.slice(first, last + 1);
    const rows = await listSiteDays(db, siteId, dayAt(some[0]!), dayAt(some.at(-1)! - 1) + 1);
    const days = new Map<number, SiteDay>(rows.map(({ day, body }) => [day, unpackSiteDay(body)]));
    for (const [day, values] of fresh) days.set(day, values);
    yield sumsBetween(some, { days, totals: new Map() });
    first = last;
  }
}

type Days = { days: ReadonlyMap<number, SiteDay>; totals: ReadonlyMap<number, SiteTotals> };

async function coarseDays(
  db: Db,
  siteId: string,
  edges: readonly number[],
  fresh: ReadonlyMap<number, SiteDay>,
): Promise<Days> {
  const rows = await listSiteTotals(db, siteId, dayAt(edges[0]!), dayAt(edges.at(-1)!) + 1);
  const totals = new Map(rows.map((row) => [row.day, unpackSiteTotals(row.totals)]));
  const days = new Map<number, SiteDay>();
  for (const edge of edges) {
    const day = dayAt(edge);
    if (edge % dayMs === 0 || !totals.has(day) || days.has(day)) continue;
    for (const { body } of await listSiteDays(db, siteId, day, day + 1)) days.set(day, unpackSiteDay(body));
  }
  for (const [day, values] of fresh) {
    days.set(day, values);
    totals.set(day, siteTotals(values));
  }
  return { days, totals };
}

function sumsBetween(edges: readonly number[], { days, totals }: Days): SiteTotals[] {
  return edges.slice(1).map((end, i) => {
    const start = edges[i]!;
    const sums = noTotals();
    const lastDay = dayAt(end - 1);
    for (let day = dayAt(start); day <= lastDay; day++) {
      const from = Math.max(0, (start - day * dayMs) / quarterMs);
      const to = Math.min(quartersOfDay, (end - day * dayMs) / quarterMs);
      const values = days.get(day);
      const whole = totals.get(day);
      if (whole && from === 0 && to === quartersOfDay) addTotals(sums, whole);
      else if (values) addQuarters(sums, values, from, to);
    }
    return sums;
  });
}

/** Returns the sums of an interval as the API reports them. Coverage is that of the time that has passed. */
export function toEnergy(sums: SiteTotals, passedMs: number): EnergyTotal {
  const consumers = sums.export + sums.battery_charge + sums.car_charge;
  const load = sums.import + sums.solar + sums.battery_discharge + sums.car_discharge - consumers;
  return {
    import_wh: sums.import,
    export_wh: sums.export,
    solar_wh: sums.solar,
    battery_charge_wh: sums.battery_charge,
    battery_discharge_wh: sums.battery_discharge,
    car_charge_wh: sums.car_charge,
    car_discharge_wh: sums.car_discharge,
    load_wh: load,
    self_consumption_pct: shareWithout(sums.export, sums.solar),
    self_sufficiency_pct: shareWithout(sums.import, load + sums.car_charge),
    coverage_pct: coverage(sums.covered_s * 1000, passedMs),
    estimated_wh: sums.estimated,
    balance_error_wh: sums.error,
  };
}

/** Returns 100 x (1 - part / whole) with one decimal; null when the whole is 0. */
const shareWithout = (part: number, whole: number): number | null =>
  whole <= 0 ? null : Math.round(Math.min(100, Math.max(0, 100 * (1 - part / whole))) * 10) / 10;

export const coverage = (coveredMs: number, passedMs: number): number =>
  passedMs <= 0 ? 0 : Math.floor(Math.min(1, coveredMs / passedMs) * 1000) / 10;
