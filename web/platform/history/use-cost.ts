import type { SiteDetails } from '#contract/cloud/sites.ts';
import { type Load, useLoad } from '../../parts/load.tsx';
import { prices } from '../market/client.ts';
import { termsOfSite } from '../market/terms.ts';
import { knownTotal } from '../market/total.ts';
import { type Cost, costOf } from './cost.ts';
import type { Measured } from './use-site-history.ts';

export type PricedImport = Cost & {
  currency: string;
  isSimulated: boolean;
  /** what the tariff of the site cost then is not known, and not in it */
  isWithoutTariff: boolean;
};

const dayMs = 86_400_000;
const longestMs = 366 * dayMs; // of a longer time no prices are told
const quartersMs = 40 * dayMs;

/** What the imported energy cost; undefined where the site has no price area, or no price is known. */
export function useCost(site: SiteDetails, measured: Measured): Load<PricedImport | undefined> {
  const { price_area, tariff_id, latitude, longitude } = site;
  const { buckets, span, loadedAt } = measured;
  const to = Math.min(span.to, loadedAt);
  return useLoad(
    async (signal) => {
      const terms = termsOfSite(site);
      if (!terms || !buckets.watts.meter || to <= span.from || to - span.from > longestMs) return undefined;
      const asked = {
        from: new Date(span.from).toISOString(),
        to: new Date(to).toISOString(),
        resolution: to - span.from <= quartersMs ? ('PT15M' as const) : ('PT60M' as const),
      };
      const known = await knownTotal(prices, asked, terms, signal);
      if (!known) return undefined;
      const { price, refusal } = known;
      const { currency, metadata } = price;
      return {
        ...costOf(buckets, price),
        currency,
        isSimulated: metadata.is_simulated,
        isWithoutTariff: refusal !== undefined,
      };
    },
    [price_area, tariff_id, latitude, longitude, measured],
  );
}
