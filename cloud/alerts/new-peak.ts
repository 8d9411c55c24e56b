import { Problem } from '#contract/problem.ts';
import { hourMs, minuteMs } from '#contract/time.ts';
import { dateAt, startOfDate } from '#contract/time-zone.ts';
import { RecentMap } from '#lib/recent-map.ts';
import type { BillCalculator } from '../bill/bill-calculator.ts';
import { readContract } from '../bill/contract.ts';
import { actualFlow, sumOf } from '../bill/quarters.ts';
import { type Household, type PowerCharge, powerCharge } from '../bill/site-bill.ts';
import type { SiteQuarters } from '../energy/report.ts';
import type { Db } from '../store/engine.ts';
import { getSite } from '../store/sites.ts';
import type { Found } from './conditions.ts';
import type { Site } from './watched-sites.ts';

export type PeakDeps = {
  db: Db;
  calculator: BillCalculator;
  quarters(siteId: string, from: number, to: number): Promise<SiteQuarters>;
};

type Base = { hour: number; charge: PowerCharge | undefined; checkedAt: number };

const maxSites = 20_000;
const settledMs = 10 * minuteMs; // a short load at the start of an hour says little about its mean
const checkEveryMs = 5 * minuteMs;
const maxBillsPerSweep = 60; // a sweep does not take minutes; the other sites are checked in the next one
const minW = 1000;
const minCost = 1; // of the currency

/** Finds hours whose mean power would raise the power charge of the month. Bills a site at most once an hour to know how. */
export function createPeakRule({ db, calculator, quarters }: PeakDeps) {
  const bases = new RecentMap<Base>(maxSites);
  let bills = 0;

  async function homeOf(site: Site, now: number): Promise<Household> {
    return {
      site: await getSite(db, site.id),
      timeZone: site.timeZone,
      now,
      contract: await readContract(db, site.id),
      calculator,
      quarters: (from, to) => quarters(site.id, from, to),
    };
  }

  async function charge(home: Household, hour: number, hourWh: number): Promise<PowerCharge | undefined> {
    bills++;
    const from = startOfDate(home.timeZone, `${dateAt(home.timeZone, hour).slice(0, 7)}-01`);
    const flow = { from: hour, imported: new Float64Array(4).fill(hourWh / 4), exported: new Float64Array(4) };
    const before = from < hour ? [actualFlow(await home.quarters(from, hour))] : [];
    return powerCharge(home, [...before, flow]);
  }

  /** Returns what the month costs if nothing more is used in this hour. */
  async function baseOf(site: Site, hour: number, now: number): Promise<Base | undefined> {
    const known = bases.get(site.id);
    if (known?.hour === hour) return known;
    if (bills >= maxBillsPerSweep) return undefined;
    const base: Base = { hour, charge: undefined, checkedAt: Number.NEGATIVE_INFINITY };
    bases.set(site.id, base);
    base.charge = await charge(await homeOf(site, now), hour, 0);
    return base;
  }

  async function find(site: Site, watts: number | undefined, now: number): Promise<Found<'new_peak'>> {
    if (watts === undefined) return undefined;
    const hour = Math.floor(now / hourMs) * hourMs; // zones that differ by half an hour have peaks of other hours
    if (watts < minW || now - hour < settledMs) return undefined;
    const base = await baseOf(site, hour, now);
    if (!base?.charge || watts < base.charge.aboveKw * 1000) return undefined;
    if (now - base.checkedAt < checkEveryMs || bills >= maxBillsPerSweep) return undefined;
    const { series } = await quarters(site.id, hour, hour + hourMs);
    const wh = sumOf(series.import) + (watts * (hour + hourMs - now)) / hourMs;
    if (wh <= base.charge.aboveKw * 1000) return undefined;
    base.checkedAt = now;
    const next = await charge(await homeOf(site, now), hour, wh);
    const cost = (next?.amount ?? 0) - base.charge.amount;
    if (cost < minCost) return undefined;
    return { subjects: [String(hour)], facts: { kw: wh / 1000, cost, currency: base.charge.currency } };
  }

  return {
    beginSweep(): void {
      bills = 0;
    },
    /** Returns a finding for an hour; it ends with the hour. */
    async find(site: Site, watts: number | undefined, now: number): Promise<Found<'new_peak'>> {
      try {
        return await find(site, watts, now);
      } catch (error) {
        if (error instanceof Problem) return undefined; // the site has no price area or tariff, or no prices are known
        throw error;
      }
    },
  };
}

export const isHourOver = (subjects: string, now: number): boolean => {
  const [hour = '0']: string[] = JSON.parse(subjects);
  return now >= Number(hour) + hourMs;
};
