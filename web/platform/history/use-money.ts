import { getSiteBill, getSiteSavings, maxBillDays, type SiteBill, type SiteSavings } from '#contract/cloud/bill.ts';
import { getContract } from '#contract/cloud/contract.ts';
import type { SiteDetails } from '#contract/cloud/sites.ts';
import { dayMs } from '#contract/time.ts';
import { type Load, useLoad } from '../../parts/load.tsx';
import { billIfKnown } from '../bill/earlier-bill.ts';
import { gapsBefore } from '../bill/missing.tsx';
import { api } from '../session.ts';
import type { TimeRange } from './buckets.ts';
import { billEnd, type Comparison, isoRange, onlyFor, type Range } from './range.ts';
import { type Compared, slowTurn, unlessPassedBy } from './use-energy.ts';

/** Whether a range is longer than the longest bill. */
export const isTooLong = ({ from, to }: TimeRange): boolean => to - from > maxBillDays * dayMs;

const hasBill = (site: SiteDetails, range: TimeRange): boolean => gapsBefore(site).length === 0 && !isTooLong(range);

export type Money = {
  span: TimeRange;
  bill: SiteBill;
  savings: SiteSavings;
  hasContract: boolean;
};

type MoneyRequest = { site: SiteDetails; range: Range; nowMs: number };

/** Loads the bill and the savings of a range, up to now; undefined if the site or the range has no bill. */
export function useMoney({ site, range, nowMs }: MoneyRequest): Load<Money | undefined> {
  const { from, to } = range;
  const end = billEnd(range, nowMs);
  const isBilled = hasBill(site, range) && from < end;
  const loaded = useLoad(
    async (signal) => {
      if (!isBilled) return undefined;
      await unlessPassedBy(signal);
      const params = { site_id: site.id };
      // The bill of a range that ends now has no projection, which would double the work.
      const query = isoRange({ from, to: end });
      const [bill, savings, { periods }] = await Promise.all([
        api().call(getSiteBill, { params, query, signal }),
        api().call(getSiteSavings, { params, query, signal }),
        api().call(getContract, { params, signal }),
      ]);
      return { span: { from, to }, bill, savings, hasContract: periods.length > 0 };
    },
    [site.id, isBilled, from, to],
    slowTurn(range, nowMs),
  );
  return onlyFor(loaded, range);
}

/** Loads the bills of the ranges that a range is compared with; those without energy or prices are left out. */
export function useComparedBills(
  { site, range }: Pick<MoneyRequest, 'site' | 'range'>,
  compared: readonly Compared[],
): ReadonlyMap<Comparison, SiteBill> {
  const billed = hasBill(site, range) ? compared.filter(({ total }) => total) : [];
  const { from, to } = range;
  const loaded = useLoad(
    async (signal) => {
      if (billed.length > 0) await unlessPassedBy(signal);
      const load = async ({ comparison, ...other }: Compared): Promise<[Comparison, SiteBill][]> => {
        const bill = await billIfKnown(site.id, isoRange(other), signal);
        return bill ? [[comparison, bill]] : [];
      };
      return { span: { from, to }, bills: new Map((await Promise.all(billed.map(load))).flat()) };
    },
    [site.id, from, to, billed.map((other) => [other.from, other.to]).join()],
  );
  return onlyFor(loaded, range).value?.bills ?? new Map();
}
