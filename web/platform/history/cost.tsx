import type { SiteDetails } from '#contract/cloud/sites.ts';
import type { TotalPrice } from '#contract/price/total.ts';
import { dayMs } from '#contract/time.ts';
import { type Load, useLoad } from '../../parts/load.tsx';
import { texts } from '../../parts/text.ts';
import { prices } from '../market/client.ts';
import { knownTotal, termsOfSite } from '../market/total.ts';
import type { Span } from './energy.ts';
import { ofSpan } from './range.ts';
import { type Cost, costOf } from './totals.ts';
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
const mostDaysByQuarter = 40;

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

const t = texts({
  en: {
    holds:
      'The cost is that of what came from the grid, with {parts}; without fixed fees, power charges and what was sold.',
    byHour:
      'Over more than {days} days every kilowatt-hour is counted at the mean price of its hour, over fewer at that of its quarter; so the same import can cost a little more or less.',
    spot: 'spot price',
    markup: 'markup',
    grid_energy: 'grid fee',
    energy_tax: 'energy tax',
    vat: 'VAT',
  },
  sv: {
    holds:
      'Kostnaden gäller det som kom från elnätet, med {parts}; utan fasta avgifter, effektavgifter och det som såldes.',
    byHour:
      'Över mer än {days} dagar räknas varje kilowattimme till medelpriset för sin timme, över färre till priset för sin kvart; därför kan samma import kosta lite mer eller mindre.',
    spot: 'spotpris',
    markup: 'påslag',
    grid_energy: 'nätavgift',
    energy_tax: 'energiskatt',
    vat: 'moms',
  },
});

/** What is in the cost and what is not. */
export function CostNote({ cost: { parts, isByHour } }: { cost: PricedImport }) {
  return (
    <p class="says">
      {t('holds', { parts: parts.map((kind) => t(kind)).join(', ') })}{' '}
      {isByHour && t('byHour', { days: mostDaysByQuarter })}
    </p>
  );
}
