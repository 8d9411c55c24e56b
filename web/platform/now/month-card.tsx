import type { SiteDetails } from '#contract/cloud/sites.ts';
import { monthAfter } from '../../chart/calendar.ts';
import { Card, Figure } from '../../parts/layout.tsx';
import { type Load, Loaded } from '../../parts/load.tsx';
import { Link } from '../../parts/router.tsx';
import { money, monthAndYear, percent, texts } from '../../parts/text.ts';
import { isMeasured } from '../bill/earlier-bill.ts';
import { arePricesDown, Gaps, gapsOf } from '../bill/missing.tsx';
import { SimulatedTag } from '../market/assumed-tariffs.tsx';
import { type MonthOfSite, useMonthContext } from './today.ts';

const t = texts({
  title: 'Cost this month',
  soFar: 'So far',
  projected: 'Projected for the whole month',
  bill: 'Bill',
  less: '{share} less than {month}',
  more: '{share} more than {month}',
  days: '{measured} of {days} days with data',
  earlier: 'Bill of {month}',
});

/** Shows what the month cost so far, and what it will probably cost; nothing while prices are not available. */
export function MonthCard({ site, month }: { site: SiteDetails; month: Load<MonthOfSite | undefined> }) {
  if (month.value === undefined && arePricesDown(month.problem)) return null; // the tiles say so
  return (
    <Card title={t('title')} class="month" beside={<Link to={`/app/sites/${site.id}/bill`}>{t('bill')}</Link>}>
      <Loaded from={month}>{(value) => value && <Month site={site} month={value} />}</Loaded>
    </Card>
  );
}

function Month({ site, month }: { site: SiteDetails; month: MonthOfSite }) {
  const { bill, hasContract, from } = month;
  const { value: context } = useMonthContext(site, month);
  const { currency, projected, total } = bill;
  const name = (first: string): string => monthAndYear(Date.parse(first), 'UTC');
  const last = monthAfter(from, -1);
  const before = context?.yearBefore;
  return (
    <>
      <div class="figures">
        <Figure label={t('soFar')} value={money(total, currency)} />
        {projected && (
          <Figure
            label={t('projected')}
            value={money(projected.total, currency)}
            more={
              before &&
              isMeasured(bill) &&
              isMeasured(before) &&
              before.total > 0 &&
              changeText(projected.total / before.total - 1, name(monthAfter(from, -12)))
            }
          />
        )}
      </div>
      <SimulatedTag of={bill.metadata} />
      <p class="says">
        {context && `${t('days', { measured: context.measured, days: context.days })} · `}
        <Link to={`/app/sites/${site.id}/bill?month=${last.slice(0, 7)}`}>{t('earlier', { month: name(last) })}</Link>
      </p>
      <Gaps siteId={site.id} of={gapsOf(hasContract, bill)} />
    </>
  );
}

const changeText = (change: number, month: string): string =>
  t(change < 0 ? 'less' : 'more', { share: percent(Math.abs(change)), month });
