import type { TotalInterval, TotalPrice } from '#contract/price/total.ts';
import { dateAt } from '#contract/time-zone.ts';
import { addDays } from '../../chart/calendar.ts';
import { Card } from '../../parts/card.tsx';
import { choicesOf, Segments } from '../../parts/field.tsx';
import { day, money, timeOfDay } from '../../parts/format.ts';
import { Table } from '../../parts/table.tsx';
import { texts } from '../../parts/text.ts';
import { AboutPrices, SimulatedTag } from './about-prices.tsx';
import { DayChart, Legend } from './day-chart.tsx';
import { stepMsOf } from './market.ts';
import { partName, timeSpan } from './price-words.ts';
import { publicationOf } from './publication.ts';
import { Receipt } from './receipt.tsx';
import { blocksOf, crossesZero, kindsIn, priceScale, slotAt, slotsOf, sumByKind, windowOf } from './slots.ts';
import './day-chart.css';

import type { MarketView } from './selection.ts';

const t = texts({
  title: ['Today and tomorrow', 'I dag och i morgon'],
  step: ['Resolution', 'Upplösning'],
  PT60M: ['Hourly', 'Timmar'],
  PT15M: ['15 min', 'Kvartar'],
  shown: ['Price', 'Pris'],
  total: ['Total price', 'Totalpris'],
  spot: ['Spot price', 'Spotpris'],
  today: ['Today, {day}', 'I dag, {day}'],
  tomorrow: ['Tomorrow, {day}', 'I morgon, {day}'],
  coming: [
    'Tomorrow’s prices are published around {time} and will appear here.',
    'Morgondagens priser publiceras omkring kl. {time} och visas då här.',
  ],
  due: [
    'Tomorrow’s prices were expected around {time}. Checking every minute.',
    'Morgondagens priser skulle ha kommit omkring kl. {time}. Kontrollerar varje minut.',
  ],
  uncovered: [
    'The selected grid tariff has no prices for tomorrow. See its validity below.',
    'Den valda elnätstariffen har inga priser för i morgon. Se giltigheten nedan.',
  ],
  ofTotal: ['{currency} per kWh', '{currency} per kWh'],
  ofSpot: ['{currency} per kWh, excl. VAT', '{currency} per kWh, exkl. moms'],
  open: ['Show as table', 'Visa som tabell'],
  caption: ['Prices per kWh ({currency})', 'Priser per kWh ({currency})'],
  time: ['Time', 'Tid'],
  totalTable: ['Total', 'Totalt'],
});

export function PricesCard({ price, view }: { price: TotalPrice; view: MarketView }) {
  const { choices, nowMs, timeZone, isTomorrowKnown } = view;
  const window = view.window.value;
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
          <Segments label={t('shown')} value={shown} choices={choicesOf(['total', 'spot'], t)} />
          <Segments label={t('step')} value={step} choices={choicesOf(['PT60M', 'PT15M'], t)} />
        </div>
      }
    >
      {metadata.is_simulated && <SimulatedTag />}
      <div class="price-view">
        <div class="price-days">
          <Legend
            unit={t(shown.value === 'total' ? 'ofTotal' : 'ofSpot', { currency })}
            kinds={kindsIn(intervals, shown.value)}
            hasSums={all.some(({ interval }) => interval && crossesZero(blocksOf(interval, shown.value)))}
            hasWindow={window !== undefined}
            hasUnknown={all.some(({ interval }) => !interval)}
          />
          <DayChart title={t('today', { day: day(windowOf(today).start, timeZone) })} slots={today} {...common} />
          {isTomorrowKnown ? (
            <DayChart
              title={t('tomorrow', { day: day(windowOf(tomorrow).start, timeZone) })}
              slots={tomorrow}
              {...common}
            />
          ) : (
            <p class="says" role="status">
              {t(absence, { time: timeOfDay(publication, timeZone) })}
            </p>
          )}
        </div>
        {picked && <Receipt slot={picked} isNow={picked === current} {...{ currency, timeZone }} />}
      </div>
      <PriceTable {...{ price, timeZone }} />
      <AboutPrices {...{ price, timeZone }} />
    </Card>
  );
}

function PriceTable({ price: { intervals, currency }, timeZone }: { price: TotalPrice; timeZone: string | undefined }) {
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
            show: (interval: TotalInterval) => money(sumByKind(interval).get(kind) ?? 0, currency, 3),
          })),
          { title: t('totalTable'), isNumber: true, show: ({ total }) => money(total, currency, 3) },
        ]}
      />
    </details>
  );
}
