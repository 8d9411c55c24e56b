import { getSiteBill, type SiteBill } from '#contract/cloud/bill.ts';
import { isRefusal } from '../market/total-price.ts';
import { api } from '../session.ts';
import type { BillQuery } from './period.ts';

const enoughPercent = 90;

/** Whether enough of a bill was measured to compare it with another one. */
export const isMeasured = ({ coverage_pct }: Pick<SiteBill, 'coverage_pct'>): boolean => coverage_pct >= enoughPercent;

/** Loads a bill; undefined if the platform cannot calculate it, such as before the first known price. */
export const billIfKnown = (siteId: string, query: BillQuery, signal: AbortSignal): Promise<SiteBill | undefined> =>
  api()
    .call(getSiteBill, { params: { site_id: siteId }, query, signal })
    .catch((problem: unknown) => {
      if (isRefusal(problem)) return undefined;
      throw problem;
    });
