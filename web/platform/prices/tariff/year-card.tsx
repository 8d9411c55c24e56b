import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { CalendarPattern, PriceGroup, Tariff } from '#contract/price/eltariff.ts';
import { dayMs } from '#contract/time.ts';
import { dateAt } from '#contract/time-zone.ts';
import { Card } from '../../../parts/card.tsx';
import { Segments } from '../../../parts/field.tsx';
import { money, month } from '../../../parts/format.ts';
import { timeNow } from '../../../parts/now.ts';
import { Table } from '../../../parts/table.tsx';
import { texts } from '../../../parts/text.ts';
import {
  hoursOfDay,
  type MonthRow,
  monthsOf,
  type PriceGroupName,
  tariffYear,
  type YearHours,
  yearToShow,
} from './year.ts';
import { YearMap } from './year-map.tsx';

const t = texts({
  en: {
    title: 'The year of the tariff, {year}',
    says: 'Every hour of the year: days from left to right, hours from top to bottom. With VAT, without the spot price.',
    group: 'Which price',
    energyPrice: 'Energy',
    powerPrice: 'Power',
    kWh: '{price}/kWh',
    kW: '{price}/kW',
    none: 'Nothing in this group has a price by the hour.',
    table: 'The same as a table',
    month: 'Month',
    weekdays: 'Monday to Friday',
    weekends: 'Weekends',
    usual: 'What most days of a month have; holidays may differ.',
    nothing: 'no price',
  },
  sv: {
    title: 'Tariffens år, {year}',
    says: 'Varje timme på året: dagar från vänster till höger, timmar uppifrån och ner. Med moms, utan spotpriset.',
    group: 'Vilket pris',
    energyPrice: 'Energi',
    powerPrice: 'Effekt',
    kWh: '{price}/kWh',
    kW: '{price}/kW',
    none: 'Inget i den här gruppen har ett timpris.',
    table: 'Samma sak som tabell',
    month: 'Månad',
    weekdays: 'Måndag till fredag',
    weekends: 'Helger',
    usual: 'Det som gäller de flesta dagar i månaden; helgdagar kan avvika.',
    nothing: 'inget pris',
  },
});

/** When a tariff is cheap and when it is dear, over a year. */
export function YearCard({ tariff, patterns }: { tariff: Tariff; patterns: readonly CalendarPattern[] }) {
  const group = useSignal<PriceGroupName>(changes(tariff.energyPrice) ? 'energyPrice' : 'powerPrice');
  const today = dateAt(tariff.timeZone, timeNow());
  const year = yearToShow(tariff.validPeriod, today);
  const shown = group.value;
  const hours = useMemo(() => tariffYear(tariff, patterns, shown, year), [tariff, patterns, shown, year]);
  return (
    <Card
      title={t('title', { year })}
      beside={
        <Segments
          label={t('group')}
          value={group}
          choices={(['energyPrice', 'powerPrice'] as const).map((value) => ({ value, label: t(value) }))}
        />
      }
    >
      <p class="says">{t('says')}</p>
      <Year key={shown} {...{ hours, tariff, group: shown, today }} />
    </Card>
  );
}

type YearProps = { hours: YearHours; tariff: Tariff; group: PriceGroupName; today: string };

function Year({ hours, tariff, group, today }: YearProps) {
  const months = useMemo(() => monthsOf(hours), [hours]);
  const currency = tariff[group].components.find(({ price }) => price)?.price?.currency;
  if (!currency) return <p class="says">{t('none')}</p>;
  const unit = group === 'energyPrice' ? 'kWh' : 'kW';
  const price = (amount: number): string => t(unit, { price: money(amount, currency, unit === 'kWh' ? 3 : 2) });
  const runs = (of: MonthRow['weekdays']): string =>
    of
      .map(({ from, to, amount }) => `${from}–${to}: ${Number.isNaN(amount) ? t('nothing') : price(amount)}`)
      .join('; ');
  return (
    <>
      <YearMap hours={hours} price={price} startAt={startOf(hours, today)} />
      <details>
        <summary>{t('table')}</summary>
        <p class="says">{t('usual')}</p>
        <Table
          caption={t('usual')}
          rows={months}
          keyOf={({ month: first }) => first}
          columns={[
            { title: t('month'), show: ({ month: first }) => month(Date.parse(first), 'UTC') },
            { title: t('weekdays'), show: ({ weekdays }) => runs(weekdays) },
            { title: t('weekends'), show: ({ weekends }) => runs(weekends) },
          ]}
        />
      </details>
    </>
  );
}

/** Whether the price of a group depends on the hour or the season. */
const changes = ({ components }: PriceGroup): boolean =>
  components.some(({ recurringPeriods }) => recurringPeriods?.length) ||
  new Set(components.map(({ validPeriod }) => validPeriod.fromIncluding)).size > 1;

/** The map begins at noon of today, or of the first day of another year. */
function startOf({ year }: YearHours, today: string): number {
  const day = today.startsWith(`${year}-`) ? (Date.parse(`${today}T00:00:00Z`) - Date.UTC(year, 0, 1)) / dayMs : 0;
  return day * hoursOfDay + hoursOfDay / 2;
}
