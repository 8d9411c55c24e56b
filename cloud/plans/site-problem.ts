import { quarterMs } from '#contract/cloud/energy.ts';
import type { PlanGoals } from '#contract/cloud/plans.ts';
import { type PlanProblem, planFormat } from '#contract/plan.ts';
import type { PlanSaying } from '#contract/plan-sentences.ts';
import type { MarginalPrice, PriceTerm } from '#contract/price/marginal.ts';
import { dayMs, formatTime, hourMs } from '#contract/time.ts';
import { dateAt, startOfDate } from '#contract/time-zone.ts';
import type { Band } from '#plan/forecast/distribution.ts';
import type { History } from '#plan/forecast/history.ts';
import { forecastSite } from '#plan/forecast/site-forecast.ts';
import { quartersFrom } from '../bill/quarters.ts';
import type { SiteQuarters } from '../energy/report.ts';
import type { PlanDer } from '../store/plans.ts';
import type { SiteRow } from '../store/schema.ts';
import type { SiteWeather } from '../weather/weather.ts';
import { type PlanEdges, peakFeesOf } from './peak-fees.ts';
import { type Reading, type SiteStorage, storagesOf } from './storages.ts';

/** A site at the moment of planning: its state, history and prices. */
export type SiteKnowledge = {
  now: number;
  timeZone: string;
  site: Pick<SiteRow, 'latitude' | 'longitude'>;
  goals: PlanGoals;
  fuse_a: number | undefined;
  /** from the start of the month at the latest */
  prices: MarginalPrice;
  /** of the last weeks, from the start of the month at the latest, until the first step */
  quarters: SiteQuarters;
  ders: readonly PlanDer[];
  readings: ReadonlyMap<number, Reading>;
  /** by car with a departure: 1 for the quarters of an hour in which it was connected */
  connected?: Readonly<Record<string, History>> | undefined;
  weather?: SiteWeather | undefined;
};

export type SiteProblem = {
  problem: PlanProblem;
  timeZone: string;
  edges: PlanEdges;
  storages: SiteStorage[];
  load: Band[];
  solar: Band[];
  isAssumed: boolean[];
  /** sentences of plans, or those of other services */
  assumed: (string | PlanSaying)[];
  /** what keeps storages from being planned */
  missing: PlanSaying[];
  /** storages without a goal, which are left out */
  unplanned: PlanSaying[];
  /** whether there is too little history to learn from, so that no saving is promised */
  isYoung: boolean;
};

const quartersMs = 2 * dayMs;
const phaseV = 230;
const phases = 3;
/** Wear of a discharged kWh as a share of the mean price: too little to matter but against moving energy for nothing. */
export const wearShare = 0.02;
const leastQuarters = 96;
const leastCoveredS = 450; // of a quarter, to learn from it

/**
 * Returns quarters of an hour for two days, then hours to the end of the month that they reach: one or two days of a new month would
 * have to pay its whole power charge.
 */
export function edgesFrom(now: number, timeZone: string): number[] {
  const start = Math.floor(now / quarterMs) * quarterMs;
  const [year = 0, month = 0] = dateAt(timeZone, start + quartersMs - 1)
    .split('-')
    .map(Number);
  const monthEnd = startOfDate(timeZone, new Date(Date.UTC(year, month)).toISOString().slice(0, 10));
  const edges = [start];
  for (let at = start + quarterMs; at <= start + quartersMs || (at < monthEnd && at % hourMs !== 0); at += quarterMs)
    edges.push(at);
  for (let at = edges.at(-1)! + (hourMs - (edges.at(-1)! % hourMs)); at <= monthEnd; at += hourMs) edges.push(at);
  return edges;
}

/** Returns the start of the local month of an instant. */
export const monthStartOf = (ms: number, timeZone: string): number =>
  startOfDate(timeZone, `${dateAt(timeZone, ms).slice(0, 7)}-01`);

/** Forecasts load, sun and prices of a site, and makes a problem for the planner. */
export function siteProblem(known: SiteKnowledge): SiteProblem {
  const { now, timeZone, goals, prices, quarters, ders, readings, site, fuse_a, weather } = known;
  const edges = edgesFrom(now, timeZone);
  const spans = edges.slice(1).map((end, n) => ({ start: edges[n]!, end }));
  const hasCars = goals.cars.length > 0;
  const { latitude, longitude } = site;
  const forecast = forecastSite(
    {
      timezone: timeZone,
      load: powerOf(quarters, (i) => quarters.series.load[i]! + (hasCars ? 0 : quarters.series.car_charge[i]!)),
      solar: powerOf(quarters, (i) => quarters.series.solar[i]!),
      prices: spotHistory(prices),
      temperature: weather?.temperature,
      irradiance: weather?.irradiance,
      cars: known.connected ?? {},
      ...(latitude !== null && longitude !== null && { position: { latitude, longitude } }),
    },
    spans,
  );
  const termAt = createTerms(prices.terms);
  const terms = spans.map(({ start }) => termAt(start));
  const importPrices = forecast.prices.map(({ price }, n) => importPrice(terms[n]!, price));
  const exportPrices = forecast.prices.map(({ price }, n) => terms[n]!.export_fixed + terms[n]!.export_spot * price);
  const meanPrice = mean(importPrices.slice(0, 96));
  const offered = mean(forecast.solar.map((band) => band.mean));
  const used = mean(forecast.load.map((band) => band.mean));
  const endValue = Math.max(0, (offered > used ? mean(exportPrices) : meanPrice) * 0.9);
  const wear = Math.max(0, meanPrice * wearShare);
  const found = storagesOf({ goals, ders, readings, edges, timeZone, now, endValue, wear, present: forecast.present });
  const hasSun = ders.some(({ type }) => type === 'solar');
  const limit = importLimit(goals, fuse_a);
  const monthStart = monthStartOf(edges[0]!, timeZone);
  const { series } = quartersFrom(quarters, Math.max(monthStart, quarters.from));
  const imported = { from: Math.max(monthStart, quarters.from), imported: series.import };
  const isYoung = quarters.coveredS.filter((seconds) => seconds >= leastCoveredS).length < leastQuarters;
  const firstAssumed = forecast.prices.findIndex(({ isAssumed }) => isAssumed);
  return {
    problem: {
      format: planFormat,
      start: formatTime(edges[0]!),
      timezone: prices.timezone,
      steps_s: spans.map(({ start, end }) => (end - start) / 1000),
      import_price: importPrices,
      export_price: exportPrices,
      load_w: forecast.load.map((band, n) => Math.max(0, band.mean) + found.later_w[n]!),
      solar_w: forecast.solar.map((band) => Math.max(0, band.mean)),
      solar_curtailable: hasSun && !goals.export_at_negative_price,
      grid: limit === undefined ? {} : { import_limit_w: limit },
      storages: found.storages.map(({ storage }) => storage),
      peak_fees: peakFeesOf(prices.power_charges, edges, { timeZone: prices.timezone, imported }),
    },
    timeZone,
    edges,
    storages: found.storages,
    load: forecast.load,
    solar: forecast.solar,
    isAssumed: forecast.prices.map(({ isAssumed }, n) => isAssumed && terms[n]!.import_spot > 0),
    assumed: [
      ...(firstAssumed >= 0 ? [{ key: 'prices_assumed', at: formatTime(edges[firstAssumed]!) } as const] : []),
      ...(isYoung ? [{ key: 'load_assumed' } as const] : []),
      ...(weather ? [weather.note] : []),
      ...found.assumed,
      ...prices.notes,
    ],
    missing: found.missing,
    unplanned: found.unplanned,
    isYoung,
  };
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / (values.length || 1);

/** Returns the lower of the limit of the goals and that of the main fuse. */
function importLimit({ max_import_w }: PlanGoals, fuseA: number | undefined): number | undefined {
  const limits = [...(max_import_w === null ? [] : [max_import_w]), ...(fuseA ? [fuseA * phaseV * phases] : [])];
  return limits.length > 0 ? Math.min(...limits) : undefined;
}

/** Returns the mean power of quarters in W; unknown where they were not measured. */
function powerOf({ from, coveredS, estimated }: SiteQuarters, whOf: (i: number) => number): History {
  const values = Float64Array.from(coveredS, (seconds, i) =>
    seconds >= leastCoveredS || estimated[i]! > 0 ? (whOf(i) * hourMs) / quarterMs : Number.NaN,
  );
  return { startMs: from, stepMs: quarterMs, values };
}

export function spotHistory({ spot }: Pick<MarginalPrice, 'spot'>): History {
  const [first, last] = [spot.at(0), spot.at(-1)];
  if (!first || !last) return { startMs: 0, stepMs: quarterMs, values: [] };
  const startMs = Date.parse(first.start);
  const values = new Float64Array((Date.parse(last.end) - startMs) / quarterMs).fill(Number.NaN);
  for (const { start, end, price } of spot)
    values.fill(price, (Date.parse(start) - startMs) / quarterMs, (Date.parse(end) - startMs) / quarterMs);
  return { startMs, stepMs: quarterMs, values };
}

/** Returns the terms of instants; they cover the range that was asked for. */
export function createTerms(terms: readonly PriceTerm[]): (ms: number) => PriceTerm {
  const ends = terms.map(({ end }) => Date.parse(end));
  return (ms) => terms[ends.findIndex((end) => ms < end)] ?? terms.at(-1)!;
}

/** Returns the price of an imported kWh at a spot price, without power charges. */
export function importPrice({ import_fixed, import_spot, support }: PriceTerm, spot: number): number {
  const paid = support ? support.share * Math.max(0, spot - support.above) : 0;
  return import_fixed + import_spot * spot - paid;
}
