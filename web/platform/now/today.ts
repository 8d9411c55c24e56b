import { getSiteBill, getSiteSavings, type SiteBill, type SiteSavings } from '#contract/cloud/bill.ts';
import { getContract } from '#contract/cloud/contract.ts';
import { type EnergyTotal, getSiteEnergy } from '#contract/cloud/energy.ts';
import type { SiteDetails } from '#contract/cloud/sites.ts';
import { dateAt } from '#contract/time-zone.ts';
import { type Load, useLoad } from '../../parts/load.tsx';
import { timeNow } from '../../parts/now.ts';
import { billIfKnown } from '../bill/earlier-bill.ts';
import { dayPeriod, earlier, monthPeriod } from '../bill/period.ts';
import { useTurn } from '../bill/turn.ts';
import { api } from '../session.ts';

/** Values of today and of yesterday, until the same time of day. */
type Daily<Value> = { today: Value; yesterday: Value; until: number };

/** Loads values of today and yesterday, by complete quarter-hours; undefined before the first one of today. */
function useDaily<Value>(
  { timezone }: SiteDetails,
  load: (range: { from: string; to: string }, signal: AbortSignal) => Promise<Value>,
): Load<Daily<Value> | undefined> {
  return useLoad(
    async (signal) => {
      const nowMs = timeNow();
      const day = dayPeriod(dateAt(timezone, nowMs), nowMs, timezone);
      if (!day) return undefined;
      const [today, yesterday] = await Promise.all([
        load(day.query, signal),
        load(earlier(day, 'before', nowMs, timezone), signal),
      ]);
      return { today, yesterday, until: Date.parse(day.query.to) };
    },
    [],
    useTurn(),
  );
}

export type EnergyOfDay = Daily<EnergyTotal>;

export const useEnergyOfDay = (site: SiteDetails): Load<EnergyOfDay | undefined> =>
  useDaily(site, async (range, signal) => {
    const query = { ...range, resolution: '1d' } as const;
    return (await api().call(getSiteEnergy, { params: { site_id: site.id }, query, signal })).total;
  });

export type SavingsOfDay = Daily<SiteSavings>;

/** Loads cost and savings; the actual cost of savings is the total of the bill. */
export const useSavingsOfDay = (site: SiteDetails): Load<SavingsOfDay | undefined> =>
  useDaily(site, (query, signal) => api().call(getSiteSavings, { params: { site_id: site.id }, query, signal }));

export type MonthOfSite = {
  bill: SiteBill;
  hasContract: boolean;
  /** first day */
  from: string;
};

/** Loads the bill of the running month, and whether the site has a contract; undefined for a site that can have no bill. */
export function useMonth({ id, timezone }: SiteDetails, hasBill: boolean): Load<MonthOfSite | undefined> {
  const params = { site_id: id };
  return useLoad(
    async (signal) => {
      if (!hasBill) return undefined;
      const nowMs = timeNow();
      const { from, query } = monthPeriod(dateAt(timezone, nowMs).slice(0, 7), nowMs, timezone);
      const [bill, { periods }] = await Promise.all([
        api().call(getSiteBill, { params, query, signal }),
        api().call(getContract, { params, signal }),
      ]);
      return { bill, hasContract: periods.length > 0, from };
    },
    [],
    useTurn(),
  );
}

/** Loads the bill of the same month last year, and on how many days of this month something was measured. */
export function useMonthContext({ id }: SiteDetails, { bill, from }: MonthOfSite) {
  const params = { site_id: id };
  const lastYear = `${Number(from.slice(0, 4)) - 1}${from.slice(4, 7)}`;
  return useLoad(
    async (signal) => {
      const [{ intervals }, yearBefore] = await Promise.all([
        api().call(getSiteEnergy, {
          params,
          query: { from: bill.metadata.from, to: bill.metadata.to, resolution: '1d' },
          signal,
        }),
        billIfKnown(id, { month: lastYear }, signal),
      ]);
      return { days: intervals.length, measured: intervals.filter((day) => day.coverage_pct > 0).length, yearBefore };
    },
    [from],
    useTurn(),
  );
}
