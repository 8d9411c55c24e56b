import type { SiteDetails } from '#contract/cloud/sites.ts';
import type { TotalPrice } from '#contract/price/total.ts';
import { dayMs } from '#contract/time.ts';
import { type Load, useLoad } from '../../parts/load.tsx';
import { prices } from '../market/client.ts';
import { termsOfSite } from '../market/terms.ts';
import { knownTotal } from '../market/total.ts';
import { type Cost, costOf } from './cost.ts';
import type { Span } from './energy.ts';
import { ofSpan } from './of-span.ts';
import type { Measured } from './use-site-history.ts';

export type PricedImport = Cost & {
  span: Span;
  currency: string;
  isSimulated: boolean;
  /** what the tariff of the site cost then is not known, and not in it */
  isWithoutTariff: boolean;
  /** expired price lists whose last known prices were used */
  assumed_tariffs: NonNullable<TotalPrice['metadata']['assumed_tariffs']>;
  /** the mean prices of hours, not the prices of their quarters */
  isByHour: boolean;
};

const longestMs = 366 * dayMs; // of a longer time no prices are told

/** The most days whose prices are asked for by quarters. */
export const mostDaysByQuarter = 40;

/** What the imported energy cost; undefined where the site has no price area, or no price is known. */
export function useCost(site: SiteDetails, measured: Measured): Load<PricedImport | undefined> {
  const { price_area, tariff_id, latitude, longitude } = site;
  const { buckets, span, loadedAt } = measured;
  const to = Math.min(span.to, loadedAt);
  const loaded = useLoad(
    async (signal) => {
      const terms = termsOfSite(site);
      if (!terms || !buckets.watts.meter || to <= span.from || to - span.from > longestMs) return undefined;
      const isByHour = to - span.from > mostDaysByQuarter * dayMs;
      const asked = {
        from: new Date(span.from).toISOString(),
        to: new Date(to).toISOString(),
        resolution: isByHour ? ('PT60M' as const) : ('PT15M' as const),
      };
      const known = await knownTotal(prices, asked, terms, signal);
      if (!known) return undefined;
      const { price, refusal } = known;
      const { currency, metadata } = price;
      return {
        ...costOf(buckets, price),
        span,
        currency,
        isSimulated: metadata.is_simulated,
        isWithoutTariff: refusal !== undefined,
        assumed_tariffs: metadata.assumed_tariffs ?? [],
        isByHour,
      };
    },
    [price_area, tariff_id, latitude, longitude, span.from, span.to],
    measured,
  );
  return ofSpan(loaded, span);
}
