import { dateAt } from '#contract/time-zone.ts';
import { addDays } from '../../chart/calendar.ts';
import { Card } from '../../parts/card.tsx';
import { Segments } from '../../parts/field.tsx';
import { texts } from '../../parts/text.ts';
import type { Total } from '../market/total.ts';
import { AboutPrices, SimulatedTag } from './about-prices.tsx';
import { DayChart, Legend } from './day-chart.tsx';
import type { Choices } from './looked-at.ts';
import { stepMsOf } from './market.ts';
import type { Span } from './price-bars.tsx';
import { publicationOf } from './publication.ts';
import { Receipt } from './receipt.tsx';
import './day-chart.css';
import type { TotalInterval } from '#contract/price/total.ts';
import { day, money, timeOfDay } from '../../parts/format.ts';
import { Table } from '../../parts/table.tsx';
import { partName, timeSpan } from './price-words.ts';
import { blocksOf, hangs, kindsIn, priceScale, slotAt, slotsOf, sums } from './slots.ts';

const t = texts({
  en: {
    title: 'Today and tomorrow',
    step: 'How fine',
    PT60M: 'Hours',
    PT15M: 'Quarters',
    shown: 'What is shown',
    total: 'Total price',
    spot: 'Spot price',
    today: 'Today, {day}',
    tomorrow: 'Tomorrow, {day}',
    coming: 'The prices of tomorrow are published at about {time}, and appear here by themselves.',
    due: 'The prices of tomorrow should have come at about {time}. They are asked for every minute.',
    uncovered: 'What the chosen grid tariff costs tomorrow is not known. Further down stands when it is valid.',
    ofTotal: '{currency} for a kWh',
    ofSpot: '{currency} for a kWh, before VAT',
    open: 'The same as a table',
    caption: 'Prices for a kWh, {currency}',
    time: 'Time',
    totalTable: 'Total',
  },
  sv: {
    title: 'I dag och i morgon',
    step: 'Hur fint',
    PT60M: 'Timmar',
    PT15M: 'Kvartar',
    shown: 'Det som visas',
    total: 'Totalpris',
    spot: 'Spotpris',
    today: 'I dag, {day}',
    tomorrow: 'I morgon, {day}',
    coming: 'Morgondagens priser kommer omkring klockan {time} och visas då här av sig själva.',
    due: 'Morgondagens priser borde ha kommit omkring klockan {time}. De efterfrågas varje minut.',
    uncovered: 'Vad den valda elnätstariffen kostar i morgon är inte känt. Längre ner står när den gäller.',
    ofTotal: '{currency} för en kWh',
    ofSpot: '{currency} för en kWh, före moms',
    open: 'Samma sak som tabell',
    caption: 'Priser för en kWh, {currency}',
    time: 'Tid',
    totalTable: 'Totalt',
  },
});

type PricesCardProps = {
  total: Total;
  choices: Choices;
  window: Span | undefined;
  nowMs: number;
  timeZone: string | undefined;
  isTomorrowKnown: boolean;
};

export function PricesCard({ total: { price }, choices, window, nowMs, timeZone, isTomorrowKnown }: PricesCardProps) {
  const { step, shown, bar } = choices;
  const { currency, intervals, resolution, metadata } = price;
  const date = dateAt(timeZone, nowMs);
  const slotsOn = (days: number) => slotsOf(addDays(date, days), intervals, stepMsOf(resolution), timeZone);
  const [today, tomorrow] = [slotsOn(0), slotsOn(1)];
  const all = isTomorrowKnown ? [...today, ...tomorrow] : today;
  const current = slotAt(all, nowMs);
  const picked = (bar.value === undefined ? undefined : slotAt(all, bar.value)) ?? current;
  const common = {
    shown: shown.value,
    scale: priceScale(all, shown.value),
    window,
    chosen: bar,
    nowMs,
    timeZone,
    currency,
  };
  const publication = publicationOf(date);
  const isUncovered = metadata.uncovered_dates?.includes(addDays(date, 1)) ?? false;
  const absence = isUncovered ? 'uncovered' : nowMs < publication ? 'coming' : 'due';
  return (
    <Card
      title={t('title')}
      beside={
        <div class="actions">
          <Segments label={t('shown')} value={shown} choices={(['total', 'spot'] as const).map(choiceOf)} />
          <Segments label={t('step')} value={step} choices={(['PT60M', 'PT15M'] as const).map(choiceOf)} />
        </div>
      }
    >
      {metadata.is_simulated && <SimulatedTag />}
      <div class="price-view">
        <div class="price-days">
          <Legend
            unit={t(shown.value === 'total' ? 'ofTotal' : 'ofSpot', { currency })}
            kinds={kindsIn(intervals, shown.value)}
            hasSums={all.some(({ interval }) => interval && hangs(blocksOf(interval, shown.value)))}
            hasWindow={window !== undefined}
            hasUnknown={all.some(({ interval }) => !interval)}
          />
          <DayChart title={t('today', { day: day(today[0]!.start, timeZone) })} slots={today} {...common} />
          {isTomorrowKnown ? (
            <DayChart title={t('tomorrow', { day: day(tomorrow[0]!.start, timeZone) })} slots={tomorrow} {...common} />
          ) : (
            <p class="says" role="status">
              {t(absence, { time: timeOfDay(publication, timeZone) })}
            </p>
          )}
        </div>
        {picked && <Receipt slot={picked} isNow={picked === current} {...{ currency, timeZone }} />}
      </div>
      <PriceTable {...{ intervals, currency, timeZone }} />
      <AboutPrices {...{ price, timeZone }} />
    </Card>
  );
}

const choiceOf = <Value extends Parameters<typeof t>[0]>(value: Value) => ({ value, label: t(value) });

type PriceTableProps = { intervals: readonly TotalInterval[]; currency: string; timeZone: string | undefined };

/** What the bars show, to be read. */
function PriceTable({ intervals, currency, timeZone }: PriceTableProps) {
  const time = ({ start, end }: TotalInterval): string =>
    `${day(Date.parse(start), timeZone)}, ${timeSpan(Date.parse(start), Date.parse(end), timeZone)}`;
  return (
    <details>
      <summary>{t('open')}</summary>
      <Table
        caption={t('caption', { currency })}
        rows={intervals}
        keyOf={({ start }) => start}
        columns={[
          { title: t('time'), show: time },
          ...kindsIn(intervals, 'total').map((kind) => ({
            title: partName(kind),
            isNumber: true,
            show: (interval: TotalInterval) => money(sums(interval).get(kind) ?? 0, currency, 3),
          })),
          { title: t('totalTable'), isNumber: true, show: ({ total }) => money(total, currency, 3) },
        ]}
      />
    </details>
  );
}
