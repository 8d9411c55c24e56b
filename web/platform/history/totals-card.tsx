import type { SiteDetails } from '#contract/cloud/sites.ts';
import { Card, Figure } from '../../parts/card.tsx';
import { Switch } from '../../parts/field.tsx';
import { energy, money, percent, dateRange as spanText } from '../../parts/format.ts';
import { Loaded } from '../../parts/load.tsx';
import { Failed } from '../../parts/notice.tsx';
import { setQuery } from '../../parts/router.tsx';
import { texts } from '../../parts/text.ts';
import { AssumedTariffs } from '../market/assumed-tariffs.tsx';
import { CostNote, type PricedImport, useCost } from './cost.tsx';
import { comparedWith, type Range } from './range.ts';
import { isKnown, type Totals, totalsOf } from './totals.ts';
import { type Measured, useSiteHistory } from './use-site-history.ts';

const t = texts({
  en: {
    title: 'In total',
    imported: 'From the grid',
    exported: 'To the grid',
    generated: 'Solar generation',
    used: 'House and car',
    selfSufficiency: 'Self-sufficiency',
    cost: 'Cost of the import',
    before: '{value} before',
    compare: 'Compare with the period before',
    compared: 'Before is {span}.',
    complete: 'Measured all of the time.',
    partly: 'Everything was measured for {share} of the time; the sums are of what was measured.',
    about: 'What is in these sums',
    simulated: 'Simulated prices',
    noTariff: 'The cost is without grid fees: what the grid tariff of the site cost then is not known.',
    pricedPartly: 'The cost is that of {priced} of the {imported} from the grid: the price of the rest is not known.',
    how: 'Energy is the mean power of every {resolution} times its length.',
    raw: 'minute',
    '1m': 'minute',
    '5m': '5 minutes',
    '15m': '15 minutes',
    '1h': 'hour',
    '1d': 'day',
  },
  sv: {
    title: 'Totalt',
    imported: 'Från elnätet',
    exported: 'Till elnätet',
    generated: 'Solproduktion',
    used: 'Hus och bil',
    selfSufficiency: 'Självförsörjning',
    cost: 'Importens kostnad',
    before: '{value} före',
    compare: 'Jämför med perioden före',
    compared: 'Före är {span}.',
    complete: 'Uppmätt hela tiden.',
    partly: 'Allt mättes under {share} av tiden; summorna gäller det som mättes.',
    about: 'Vad som ingår i summorna',
    simulated: 'Simulerat pris',
    noTariff: 'Kostnaden är utan elöverföring: vad anläggningens elnätstariff kostade då är inte känt.',
    pricedPartly: 'Kostnaden gäller {priced} av de {imported} som kom från elnätet: priset för resten är inte känt.',
    how: 'Energin är medeleffekten under {resolution} i taget, gånger tiden.',
    raw: 'en minut',
    '1m': 'en minut',
    '5m': '5 minuter',
    '15m': '15 minuter',
    '1h': 'en timme',
    '1d': 'ett dygn',
  },
});

const nearlyAll = 0.995;

type TotalsProps = { site: SiteDetails; range: Range; measured: Measured; nowMs: number; isCompared: boolean };

/** The sums of the range, how much of it was measured, and those of the period before. */
export function TotalsCard({ site, range, measured, nowMs, isCompared }: TotalsProps) {
  const { buckets, resolution, span, loadedAt } = measured;
  const totals = totalsOf(buckets, { from: span.from, to: Math.min(span.to, loadedAt) });
  const cost = useCost(site, measured);
  const known = cost.value && isKnown(cost.value, totals.imported) ? cost.value : undefined;
  const compare = (
    <Switch label={t('compare')} isOn={isCompared} onChange={(isOn) => setQuery({ compare: isOn ? '1' : undefined })} />
  );
  const { imported = 0 } = totals;
  const figures = { totals, ...(known && { cost: known }) };
  return (
    <Card title={t('title')} beside={compare}>
      {isCompared ? <Compared {...figures} site={site} range={range} nowMs={nowMs} /> : <Figures {...figures} />}
      {cost.problem !== undefined && <Failed problem={cost.problem} again={cost.again} />}
      {cost.value?.isWithoutTariff && <p class="says">{t('noTariff')}</p>}
      {cost.value && <AssumedTariffs of={cost.value} />}
      {known && known.priced < imported * nearlyAll && (
        <p class="says">{t('pricedPartly', { priced: energy(known.priced), imported: energy(imported) })}</p>
      )}
      <p class="says">
        {totals.coverage > nearlyAll ? t('complete') : t('partly', { share: percent(totals.coverage) })}
      </p>
      <details class="about-sums">
        <summary class="soft">{t('about')}</summary>
        <p class="says">{t('how', { resolution: t(resolution) })}</p>
        {cost.value && <CostNote cost={cost.value} />}
      </details>
    </Card>
  );
}

const sums = ['imported', 'exported', 'generated', 'used'] as const;

type FiguresProps = { totals: Totals; cost?: PricedImport; before?: Totals };

function Figures({ totals, cost, before }: FiguresProps) {
  const beside = (value: string | undefined) => (value === undefined ? {} : { more: t('before', { value }) });
  const { selfSufficiency: share } = totals;
  const energies = sums.map((name) => {
    const more = beside(before && energy(before[name]));
    return totals[name] !== undefined && <Figure key={name} label={t(name)} value={energy(totals[name])} {...more} />;
  });
  return (
    <div class="figures">
      {energies}
      {share !== undefined && (
        <Figure
          label={t('selfSufficiency')}
          value={percent(share)}
          {...beside(before && percent(before.selfSufficiency))}
        />
      )}
      {cost && (
        <Figure
          label={t('cost')}
          value={money(cost.amount, cost.currency, cost.amount < 1000 ? 2 : 0)}
          more={cost.isSimulated && <span class="tag warning">{t('simulated')}</span>}
        />
      )}
    </div>
  );
}

type ComparedProps = FiguresProps & { site: SiteDetails; range: Range; nowMs: number };

function Compared({ site, range, nowMs, ...figures }: ComparedProps) {
  const timeZone = site.timezone;
  const { from, to } = comparedWith(range, nowMs, timeZone);
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
