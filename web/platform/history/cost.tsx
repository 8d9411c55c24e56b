import type { SiteDetails } from '#contract/cloud/sites.ts';
import type { TotalPrice } from '#contract/price/total.ts';
import { dayMs } from '#contract/time.ts';
import { type Load, useLoad } from '../../parts/load.tsx';
import { texts } from '../../parts/text.ts';
import { loadTotalIfKnown, priceApi, termsOfSite } from '../market/total-price.ts';
import { partNameInSentence } from '../prices/price-words.ts';
import type { TimeRange } from './buckets.ts';
import { onlyFor } from './range.ts';
import { type Cost, costOf } from './totals.ts';
import type { SiteMeasurements } from './use-site-history.ts';

const t = texts({
  holds: [
    'The cost covers electricity bought from the grid: {parts}. Fixed fees, power charges and sold electricity are not included.',
    'Kostnaden avser el köpt från nätet: {parts}. Fasta avgifter, effektavgifter och såld el ingår inte.',
  ],
  byHour: [
    'Ranges longer than {days} days use hourly average prices instead of quarter-hourly prices, so the cost may differ slightly.',
    'Perioder längre än {days} dagar räknas med timmedelpriser i stället för kvartspriser, så kostnaden kan skilja sig något.',
  ],
});

export type ImportCost = Cost & {
  span: TimeRange;
  currency: string;
  isSimulated: boolean;
  /** the site's tariff has no known prices for the range, so grid fees are not included */
  isWithoutTariff: boolean;
  /** expired price lists whose last known prices were used */
  assumed_tariffs: NonNullable<TotalPrice['metadata']['assumed_tariffs']>;
  /** hourly average prices were used instead of quarter-hourly prices */
  isHourly: boolean;
};

const maxPricedMs = 366 * dayMs; // the price service answers at most this range

const maxQuarterHourDays = 40;

/** Returns the cost of the imported energy, or undefined if the site has no price area or no price is known. */
export function useCost(site: SiteDetails, measured: SiteMeasurements): Load<ImportCost | undefined> {
  const { price_area, tariff_id, latitude, longitude } = site;
  const { buckets, span, loadedAt } = measured;
  const to = Math.min(span.to, loadedAt);
  const loaded = useLoad(
    async (signal) => {
      const terms = termsOfSite(site);
      if (!terms || !buckets.watts.meter || to <= span.from || to - span.from > maxPricedMs) return undefined;
      const isHourly = to - span.from > maxQuarterHourDays * dayMs;
      const asked = {
        from: new Date(span.from).toISOString(),
        to: new Date(to).toISOString(),
        resolution: isHourly ? ('PT60M' as const) : ('PT15M' as const),
      };
      const known = await loadTotalIfKnown(priceApi, asked, terms, signal);
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
        isHourly,
      };
    },
    [price_area, tariff_id, latitude, longitude, span.from, span.to],
    measured,
  );
  return onlyFor(loaded, span);
}

/** Explains what the cost includes. */
export function CostNote({ cost: { parts, isHourly } }: { cost: ImportCost }) {
  return (
    <p class="says">
      {t('holds', { parts: parts.map(partNameInSentence).join(', ') })}{' '}
      {isHourly && t('byHour', { days: maxQuarterHourDays })}
    </p>
  );
}
