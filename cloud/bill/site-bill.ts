import type { SiteBill, SiteSavings } from '#contract/cloud/bill.ts';
import type { SiteContract } from '#contract/cloud/contract.ts';
import { planSentences } from '#contract/plan-sentences.ts';
import type { Bill, Peak } from '#contract/price/total.ts';
import { Problem } from '#contract/problem.ts';
import { dayMs, formatTime } from '#contract/time.ts';
import { coverage, type SiteQuarters } from '../energy/report.ts';
import type { SiteRow } from '../store/schema.ts';
import { type BillBody, type BillCalculator, billOf } from './bill-calculator.ts';
import type { BillRange } from './bill-range.ts';
import { projectedFromDays, projectFlow } from './projection.ts';
import {
  actualFlow,
  flowWithoutBattery,
  flowWithoutSolar,
  type GridFlow,
  intervalsOf,
  quartersFrom,
  sumOf,
} from './quarters.ts';

/** A household, and how to read its ledger and to bill it. */
export type Household = {
  site: SiteRow;
  timeZone: string;
  now: number;
  contract: SiteContract;
  calculator: BillCalculator;
  quarters(from: number, to: number): Promise<SiteQuarters>;
};

/** A household without its energy: bills add that. */
export type BilledHousehold = Pick<Household, 'site' | 'timeZone' | 'contract' | 'calculator'>;

export async function siteBill(home: Household, { from, to, until }: BillRange): Promise<SiteBill> {
  const isRunning = to > until;
  const known = await home.quarters(isRunning ? Math.min(from, until - projectedFromDays * dayMs) : from, until);
  const quarters = quartersFrom(known, from);
  const flow = actualFlow(quarters);
  const bill = await billOfFlows(home, [flow]);
  return {
    site_id: home.site.id,
    timezone: home.timeZone,
    ...bill,
    coverage_pct: coverage(sumOf(quarters.coveredS) * 1000, Math.min(home.now, until) - from),
    estimated_wh: sumOf(quarters.estimated),
    ...(isRunning && { peaks: peaksOf(bill), projected: await project(home, known, flow, to) }),
  };
}

/** Bills the whole range, with the rest of it assumed. */
async function project(home: Household, known: SiteQuarters, flow: GridFlow, to: number) {
  const rest = projectFlow(known, to, home.timeZone);
  const { total, metadata } = await billOfFlows(home, [flow, rest.flow], { assume_unknown_prices: true });
  const { assumed_prices: assumedFrom } = metadata;
  const prices = assumedFrom && `Spot prices from ${assumedFrom} on are assumed to be the mean of recent days.`;
  return { total, assumed: [rest.assumed, ...(prices ? [prices] : [])] };
}

export async function siteSavings(home: Household, { from, until }: BillRange): Promise<SiteSavings> {
  const quarters = await home.quarters(from, until);
  const bill = await billOfFlows(home, [actualFlow(quarters)]);
  const { total: withoutBattery } = await billOfFlows(home, [flowWithoutBattery(quarters)]);
  const { total: withoutSolar } = await billOfFlows(home, [flowWithoutSolar(quarters)]);
  const solar = sumOf(quarters.series.solar);
  const used = 100 * (1 - sumOf(quarters.series.export) / solar);
  return {
    site_id: home.site.id,
    timezone: home.timeZone,
    from: formatTime(from),
    to: formatTime(until),
    currency: bill.currency,
    actual: bill.total,
    without_battery: withoutBattery,
    without_solar: withoutSolar,
    self_consumption: solar > 0 ? Math.round(Math.min(100, Math.max(0, used)) * 10) / 10 : null,
    saved: { battery: difference(withoutBattery, bill.total), solar: difference(withoutSolar, bill.total) },
    notes: bill.metadata.notes,
  };
}

/** The power charge of a range: of whole billing periods, with VAT. */
export type PowerCharge = {
  amount: number;
  currency: string;
  /** the lowest mean power that can add to it */
  aboveKw: number;
};

/** Calculates the power charge of known and assumed energy; undefined without one. */
export async function powerCharge(home: BilledHousehold, flows: readonly GridFlow[]): Promise<PowerCharge | undefined> {
  const bill = await billOfFlows(home, flows, { assume_unknown_prices: true });
  const lines = bill.lines.filter(({ kind }) => kind === 'power');
  if (lines.length === 0) return undefined;
  const withoutVat = lines.reduce((sum, { amount, share = 1 }) => sum + (share > 0 ? amount / share : 0), 0);
  const lowestPeak = Math.min(...peaksOf(bill).map(({ kw }) => kw));
  return {
    amount: withoutVat * (1 + bill.metadata.vat_percent / 100),
    currency: bill.currency,
    aboveKw: bill.next_peak?.above_kw ?? (Number.isFinite(lowestPeak) ? lowestPeak : 0),
  };
}

/** Subtracts two amounts in whole cents. */
const difference = (a: number, b: number): number => Math.round((a - b) * 100) / 100 + 0;

/** Bills flows that follow each other. */
export const billOfFlows = (
  home: BilledHousehold,
  flows: readonly GridFlow[],
  options: Pick<BillBody, 'assume_unknown_prices'> = {},
): Promise<Bill> => billOf(home.calculator, { ...termsOf(home), ...options, intervals: flows.flatMap(intervalsOf) });

/** Returns area, tariff and contract for the price service. */
export function termsOf({
  site,
  timeZone,
  contract,
}: Pick<Household, 'site' | 'timeZone' | 'contract'>): Omit<BillBody, 'intervals'> {
  const { price_area: area, latitude: lat, longitude: lon, tariff_id } = site;
  if (area === null && lat === null) {
    throw new Problem('unprocessable', planSentences.price_area_missing);
  }
  return {
    ...(area !== null && { area }),
    ...(lat !== null && lon !== null && { lat, lon }),
    ...(tariff_id && { tariff_id }),
    ...(contract.periods.length > 0 && { contracts: contract.periods }),
    timezone: timeZone,
  };
}

/** Lists the peaks of the newest billing period, each once. */
function peaksOf({ lines }: Bill): Peak[] {
  const power = lines.filter(({ kind }) => kind === 'power');
  const newest = power.reduce((latest, { from = '' }) => (from > latest ? from : latest), '');
  const peaks = power.filter(({ from }) => from === newest).flatMap((line) => line.peaks ?? []);
  return [...new Map(peaks.map((peak) => [peak.start, peak])).values()];
}
