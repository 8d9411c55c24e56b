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
  title: ['Tariff over the year {year}', 'Tariffen under {year}'],
  says: [
    'Each column is a day and each row an hour. Prices include VAT but not the spot price.',
    'Varje kolumn är en dag och varje rad en timme. Priserna är inklusive moms men utan spotpris.',
  ],
  group: ['Charge', 'Avgift'],
  energyPrice: ['Energy', 'Energi'],
  powerPrice: ['Power', 'Effekt'],
  kWh: ['{price}/kWh', '{price}/kWh'],
  kW: ['{price}/kW', '{price}/kW'],
  none: ['These charges do not vary by hour.', 'Avgifterna varierar inte över dygnet.'],
  table: ['Show as table', 'Visa som tabell'],
  month: ['Month', 'Månad'],
  weekdays: ['Monday–Friday', 'Måndag–fredag'],
  weekends: ['Weekends', 'Helger'],
  usual: ['Typical prices per month; holidays may differ.', 'Vanliga priser per månad; helgdagar kan avvika.'],
  nothing: ['no price', 'inget pris'],
});

/** Shows how the tariff varies over the year. */
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

/** Whether the price of a group varies by hour or season. */
const changes = ({ components }: PriceGroup): boolean =>
  components.some(({ recurringPeriods }) => recurringPeriods?.length) ||
  new Set(components.map(({ validPeriod }) => validPeriod.fromIncluding)).size > 1;

/** Returns the initially selected hour: noon today, or noon on the first day of another year. */
function startOf({ year }: YearHours, today: string): number {
  const day = today.startsWith(`${year}-`) ? (Date.parse(`${today}T00:00:00Z`) - Date.UTC(year, 0, 1)) / dayMs : 0;
  return day * hoursOfDay + hoursOfDay / 2;
}
