import { useComputed } from '@preact/signals';
import { getSiteBill, type SiteBill } from '#contract/cloud/bill.ts';
import { getContract } from '#contract/cloud/contract.ts';
import type { SiteDetails } from '#contract/cloud/sites.ts';
import { minuteMs } from '#contract/time.ts';
import { dateAt } from '#contract/time-zone.ts';
import { Button } from '../../parts/action.tsx';
import { Card, Failed, Figure, Notice, PageHead } from '../../parts/layout.tsx';
import { Loaded, useLoad } from '../../parts/load.tsx';
import { now } from '../../parts/now.ts';
import { pageUrl, setQuery } from '../../parts/router.tsx';
import { dateAndTime, energy, fullDay, money, monthAndYear, percent, texts, timeOfDay } from '../../parts/text.ts';
import { EnergyTabs } from '../energy-tabs.tsx';
import { AssumedTariffs, SimulatedTag } from '../market/assumed-tariffs.tsx';
import { api } from '../session.ts';
import { sitePage } from '../site-page.tsx';
import { ComparisonCard } from './comparison-card.tsx';
import { LinesCard } from './lines-card.tsx';
import { arePricesDown, Gaps, gapsBefore, gapsOf } from './missing.tsx';
import { PeaksCard } from './peaks-card.tsx';
import { type BillPeriod, neighbour, periodOf } from './period.ts';
import { remark } from './remarks.ts';
import { SavingsCard } from './savings-card.tsx';
import { useTurn } from './turn.ts';
import './bill.css';

const t = texts({
  title: 'Bill',
  before: 'Previous bill',
  after: 'Next bill',
  thisMonth: 'This month',
  wholeMonth: 'Whole month',
  missing: 'No bill yet',
  cost: 'Cost',
  soFar: 'So far',
  projected: 'Projected for the whole month',
  bought: 'Bought',
  sold: 'Sold',
  until: 'Until {time}.',
  measured: 'Measured completely.',
  partly: 'Measured for {share} of the time.',
  estimated: '{energy} of the energy is estimated, because readings are missing.',
  none: 'Nothing was measured in this period. The bill has only fixed fees.',
  oneDay: 'Fixed fees are those of one whole day. The power charge is that of the peaks of this day alone.',
  assumptions: 'Assumptions of the projection',
});

export default sitePage(function BillPage({ site }) {
  const { value: nowMs } = useComputed(() => Math.floor(now.value / minuteMs) * minuteMs);
  const period = periodOf(pageUrl.value.searchParams, nowMs, site.timezone);
  const gaps = gapsBefore(site);
  const from = Date.parse(period.from);
  const name = period.unit === 'day' ? fullDay(from, 'UTC') : monthAndYear(from, 'UTC');
  return (
    <>
      <PageHead title={t('title')} says={`${site.name} · ${name}`} />
      <EnergyTabs siteId={site.id} />
      <Steps period={period} name={name} today={dateAt(site.timezone, nowMs)} />
      {gaps.length > 0 ? (
        <Card title={t('missing')}>
          <Gaps siteId={site.id} of={gaps} />
        </Card>
      ) : (
        <PeriodBill key={period.unit + period.from} site={site} period={period} nowMs={nowMs} />
      )}
    </>
  );
});

function Steps({ period, name, today }: { period: BillPeriod; name: string; today: string }) {
  const go = (query: Parameters<typeof setQuery>[0]): void => setQuery(query, { replace: false });
  const isThisMonth = period.unit === 'month' && period.isRunning;
  return (
    <div class="actions">
      <Button label="‹" ariaLabel={t('before')} onClick={() => go(neighbour(period, -1))} />
      <b class="bill-period">{name}</b>
      <Button label="›" ariaLabel={t('after')} isDisabled={period.isRunning} onClick={() => go(neighbour(period, 1))} />
      {period.unit === 'day' && (
        <Button label={t('wholeMonth')} onClick={() => go({ day: undefined, month: period.from.slice(0, 7) })} />
      )}
      {!isThisMonth && (
        <Button label={t('thisMonth')} onClick={() => go({ day: undefined, month: today.slice(0, 7) })} />
      )}
    </div>
  );
}

type PeriodBillProps = { site: SiteDetails; period: BillPeriod; nowMs: number };

function PeriodBill({ site, period, nowMs }: PeriodBillProps) {
  const turn = useTurn();
  const params = { site_id: site.id };
  const loaded = useLoad(
    async (signal) => {
      const [bill, { periods }] = await Promise.all([
        api().call(getSiteBill, { params, query: period.query, signal }),
        api().call(getContract, { params, signal }),
      ]);
      return { bill, hasContract: periods.length > 0 };
    },
    [],
    turn,
  );
  if (loaded.value === undefined && arePricesDown(loaded.problem)) {
    return (
      <>
        <Failed problem={loaded.problem} again={loaded.again} />
        <Notice tone="warning">
          <Gaps siteId={site.id} of={['prices']} />
        </Notice>
      </>
    );
  }
  return (
    <Loaded from={loaded} lines={8}>
      {({ bill, hasContract }) => (
        <div class="bill cards">
          <TotalCard site={site} period={period} bill={bill} hasContract={hasContract} />
          <LinesCard bill={bill} name={period.unit === 'day' ? period.from : period.from.slice(0, 7)} />
          {period.unit === 'month' && <PeaksCard site={site} period={period} bill={bill} turn={turn} />}
          <SavingsCard site={site} period={period} turn={turn} />
          <ComparisonCard site={site} period={period} bill={bill} nowMs={nowMs} turn={turn} />
        </div>
      )}
    </Loaded>
  );
}

type TotalProps = { site: SiteDetails; period: BillPeriod; bill: SiteBill; hasContract: boolean };

function TotalCard({ site, period, bill, hasContract }: TotalProps) {
  const { currency, total, projected, metadata, estimated_wh } = bill;
  const until = Date.parse(metadata.to);
  const untilText = (period.unit === 'day' ? timeOfDay : dateAndTime)(until, bill.timezone);
  const notes = metadata.notes.filter((note) => !isShownElsewhere(note));
  return (
    <Card title={t('cost')} class="wide" beside={<SimulatedTag of={metadata} />}>
      <div class="figures">
        <Figure label={t(period.isRunning ? 'soFar' : 'total')} value={money(total, currency)} />
        {projected && <Figure label={t('projected')} value={money(projected.total, currency)} />}
        <Figure label={t('bought')} value={energy(metadata.import_kwh * 1000)} />
        {metadata.export_kwh > 0 && <Figure label={t('sold')} value={energy(metadata.export_kwh * 1000)} />}
      </div>
      <p class="says">
        {period.isRunning && t('until', { time: untilText })} <Coverage of={bill} />{' '}
        {estimated_wh > 0 && t('estimated', { energy: energy(estimated_wh) })} {period.unit === 'day' && t('oneDay')}
      </p>
      {projected && (
        <div>
          <h3>{t('assumptions')}</h3>
          <Remarks of={projected.assumed} />
        </div>
      )}
      <Gaps siteId={site.id} of={gapsOf(hasContract, bill)} />
      <AssumedTariffs of={metadata} />
      <Remarks of={notes} />
    </Card>
  );
}

/** Whether the card shows a note in another way, with a link or with dates. */
const isShownElsewhere = (note: string): boolean => /^No grid tariff was given|Newer prices are not known/.test(note);

function Coverage({ of: { coverage_pct, metadata } }: { of: SiteBill }) {
  if (coverage_pct === 0 && metadata.import_kwh === 0 && metadata.export_kwh === 0) return <>{t('none')}</>;
  return <>{coverage_pct >= 99.5 ? t('measured') : t('partly', { share: percent(coverage_pct / 100) })}</>;
}

/** Shows remarks in the language of the page, those that are known in English only as such. */
function Remarks({ of }: { of: readonly string[] }) {
  return (
    <>
      {of.map((sentence) => {
        const own = remark(sentence);
        return (
          <p key={sentence} class="says" lang={own === undefined ? 'en' : undefined}>
            {own ?? sentence}
          </p>
        );
      })}
    </>
  );
}
