import type { SiteDetails } from '#contract/cloud/sites.ts';
import type { TotalPrice } from '#contract/price/total.ts';
import { dayMs } from '#contract/time.ts';
import { editable } from '../../parts/bound-value.ts';
import { Switch } from '../../parts/field.tsx';
import { Card, Failed, Figure } from '../../parts/layout.tsx';
import { type Load, Loaded, useLoad } from '../../parts/load.tsx';
import { setQuery } from '../../parts/router.tsx';
import { energy, money, percent, dateRange as spanText, texts } from '../../parts/text.ts';
import { AssumedTariffs, SimulatedTag } from '../market/assumed-tariffs.tsx';
import { loadTotalIfKnown, priceApi, termsOfSite } from '../market/total-price.ts';
import { partNameInSentence } from '../prices/price-words.ts';
import type { TimeRange } from './buckets.ts';
import { isoRange, onlyFor, previousRange, type Range } from './range.ts';
import { type Cost, costOf, hasKnownCost, type Totals, totalsOf } from './totals.ts';
import { type SiteMeasurements, useSiteHistory } from './use-site-history.ts';

const t = texts({
  title: 'Totals',
  imported: 'Imported',
  exported: 'Exported',
  generated: 'Solar production',
  used: 'Consumption',
  selfSufficiency: 'Self-sufficiency',
  cost: 'Cost of imports',
  before: 'previous: {value}',
  compare: 'Compare with previous period',
  compared: 'Previous period: {span}.',
  complete: 'Complete data for the whole period.',
  partly: 'Complete data for {share} of the period. Totals include only what was measured.',
  about: 'How these totals are calculated',
  noTariff: 'Grid fees are not included: the site’s grid tariff has no known prices for this period.',
  pricedPartly: 'The cost covers {priced} of {imported} imported. There are no known prices for the rest.',
  how: 'Energy is calculated from average power per {resolution}.',
  raw: 'minute',
  '1m': 'minute',
  '5m': '5 minutes',
  '15m': '15 minutes',
  '1h': 'hour',
  '1d': 'day',
  holds:
    'The cost covers electricity bought from the grid: {parts}. Fixed fees, power charges and sold electricity are not included.',
  byHour:
    'Ranges longer than {days} days use hourly average prices instead of quarter-hourly prices, so the cost may differ slightly.',
});

const nearlyAll = 0.995;

type TotalsProps = { site: SiteDetails; range: Range; measured: SiteMeasurements; nowMs: number; isCompared: boolean };

export function TotalsCard({ site, range, measured, nowMs, isCompared }: TotalsProps) {
  const { buckets, resolution, span, loadedAt } = measured;
  const totals = totalsOf(buckets, { from: span.from, to: Math.min(span.to, loadedAt) });
  const cost = useCost(site, measured);
  const known = cost.value && hasKnownCost(cost.value, totals.imported) ? cost.value : undefined;
  const compare = (
    <Switch
      label={t('compare')}
      value={editable(isCompared, (isOn) => setQuery({ compare: isOn ? '1' : undefined }))}
    />
  );
  const { imported = 0 } = totals;
  const figures = { totals, ...(known && { cost: known }) };
  return (
    <Card title={t('title')} beside={compare}>
      {isCompared ? <Compared {...figures} site={site} range={range} nowMs={nowMs} /> : <Figures {...figures} />}
      <Failed problem={cost.problem} again={cost.again} />
      {cost.value?.isWithoutTariff && <p class="says">{t('noTariff')}</p>}
      {cost.value && <AssumedTariffs of={cost.value.price.metadata} />}
      {known && known.priced < imported * nearlyAll && (
        <p class="says">{t('pricedPartly', { priced: energy(known.priced), imported: energy(imported) })}</p>
      )}
      <p class="says">
        {totals.coverage > nearlyAll ? t('complete') : t('partly', { share: percent(totals.coverage) })}
      </p>
      <details class="about-sums">
        <summary class="soft">{t('about')}</summary>
        <p class="says">{t('how', { resolution: t(resolution) })}</p>
        {cost.value && (
          <p class="says">
            {t('holds', { parts: cost.value.parts.map(partNameInSentence).join(', ') })}{' '}
            {cost.value.isHourly && t('byHour', { days: maxQuarterHourDays })}
          </p>
        )}
      </details>
    </Card>
  );
}

const shown = [
  ['imported', energy],
  ['exported', energy],
  ['generated', energy],
  ['used', energy],
  ['selfSufficiency', percent],
] as const;

type FiguresProps = { totals: Totals; cost?: ImportCost; before?: Totals };

function Figures({ totals, cost, before }: FiguresProps) {
  return (
    <div class="figures">
      {shown.map(([name, format]) => {
        const more = before && t('before', { value: format(before[name]) });
        return (
          totals[name] !== undefined && <Figure key={name} label={t(name)} value={format(totals[name])} more={more} />
        );
      })}
      {cost && (
        <Figure
          label={t('cost')}
          value={money(cost.amount, cost.price.currency, cost.amount < 1000 ? 2 : 0)}
          more={cost.price.metadata.is_simulated && <SimulatedTag of={cost.price.metadata} />}
        />
      )}
    </div>
  );
}

type ComparedProps = FiguresProps & { site: SiteDetails; range: Range; nowMs: number };

function Compared({ site, range, nowMs, ...figures }: ComparedProps) {
  const timeZone = site.timezone;
  const { from, to } = previousRange(range, nowMs, timeZone);
  const loaded = useSiteHistory({ siteId: site.id, timeZone, span: { from, to }, nowMs });
  return (
    <Loaded from={loaded}>
      {({ buckets, span }) => (
        <>
          <Figures {...figures} before={totalsOf(buckets, span)} />
          <p class="says">{t('compared', { span: spanText(span.from, span.to, timeZone, true) })}</p>
        </>
      )}
    </Loaded>
  );
}

type ImportCost = Cost & {
  span: TimeRange;
  price: TotalPrice;
  /** the site's tariff has no known prices for the range, so grid fees are not included */
  isWithoutTariff: boolean;
  /** hourly average prices were used instead of quarter-hourly prices */
  isHourly: boolean;
};

const maxPricedMs = 366 * dayMs; // the price service answers at most this range

const maxQuarterHourDays = 40;

/** Returns the cost of the imported energy, or undefined if the site has no price area or no price is known. */
function useCost(site: SiteDetails, measured: SiteMeasurements): Load<ImportCost | undefined> {
  const { price_area, tariff_id, latitude, longitude } = site;
  const { buckets, span, loadedAt } = measured;
  const { from } = span;
  const to = Math.min(span.to, loadedAt);
  const loaded = useLoad(
    async (signal) => {
      const terms = termsOfSite(site);
      if (!terms || !buckets.kinds.includes('meter') || to <= from || to - from > maxPricedMs) return undefined;
      const isHourly = to - from > maxQuarterHourDays * dayMs;
      const resolution = isHourly ? 'PT60M' : 'PT15M';
      const known = await loadTotalIfKnown(priceApi, { ...isoRange({ from, to }), resolution }, terms, signal);
      if (!known) return undefined;
      const { price, refusal } = known;
      return { ...costOf(buckets, price), span, price, isWithoutTariff: refusal !== undefined, isHourly };
    },
    [price_area, tariff_id, latitude, longitude, from, span.to],
    measured,
  );
  return onlyFor(loaded, span);
}
