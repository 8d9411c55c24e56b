import { dateAt } from '#contract/time-zone.ts';
import { addDays } from '../../chart/calendar.ts';
import { choicesOf, Segments } from '../../parts/field.tsx';
import { Card, Table } from '../../parts/layout.tsx';
import { DayChart, Legend } from './day-chart.tsx';
import { publicationOf } from './publication.ts';
import { Receipt } from './receipt.tsx';
import './day-chart.css';

import type { PartKind, TotalInterval, TotalPrice } from '#contract/price/total.ts';
import { date, day, money, number, texts, timeOfDay } from '../../parts/text.ts';
import { AssumedTariffs, SimulatedTag } from '../market/assumed-tariffs.tsx';
import { partName, partNameInSentence, timeSpan } from './price-words.ts';
import type { MarketView } from './selection.ts';
import { blocksOf, crossesZero, kindsIn, priceScale, slotAt, slotsOf, stepMsOf, sumByKind, windowOf } from './slots.ts';

const t = texts({
  title: 'Today and tomorrow',
  step: 'Resolution',
  PT60M: 'Hourly',
  PT15M: '15 min',
  shown: 'Price',
  total: 'Total price',
  spot: 'Spot price',
  today: 'Today, {day}',
  tomorrow: 'Tomorrow, {day}',
  coming: 'Tomorrow’s prices are published around {time} and will appear here.',
  due: 'Tomorrow’s prices were expected around {time}. Checking every minute.',
  uncovered: 'The selected grid tariff has no prices for tomorrow. See its validity below.',
  ofTotal: '{currency} per kWh',
  ofSpot: '{currency} per kWh, excl. VAT',
  caption: 'Prices per kWh ({currency})',
  totalTable: 'Total',
  notReal: 'These are simulated prices, not market prices.',
  source: 'Spot prices from {provider}, price area {area}.',
  vat: 'Includes {percent}% VAT.',
  missing: 'Not included: {parts}, fixed fees and power charges.',
  fixed: 'Fixed fees and power charges are not included.',
  fx: 'Converted at 1 EUR = {rate} {currency} ({source}, {date}).',
  inEuro: 'Prices in EUR, as published by the market.',
  zone: 'Times are in {zone}.',
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
      <SimulatedTag of={metadata} />
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
      <summary>{t('showAsTable')}</summary>
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

const expected: readonly PartKind[] = ['grid_energy', 'energy_tax', 'vat'];

function AboutPrices({ price, timeZone }: { price: TotalPrice; timeZone: string | undefined }) {
  const { provider, resolved_area: area, vat_percent: percent, fx, is_simulated } = price.metadata;
  const kinds = kindsIn(price.intervals, 'total');
  const missing = expected.filter((kind) => !kinds.includes(kind)).map(partNameInSentence);
  const zone = timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <div class="about says">
      {is_simulated && <p>{t('notReal')}</p>}
      <p>
        {t('source', { provider, area })}{' '}
        {fx
          ? t('fx', {
              currency: fx.currency,
              rate: number(fx.rate, 4),
              source: fx.source,
              date: date(Date.parse(fx.date), 'UTC'),
            })
          : t('inEuro')}
      </p>
      <p>
        {kinds.includes('vat') && `${t('vat', { percent: number(percent) })} `}
        {missing.length > 0 ? t('missing', { parts: missing.join(', ') }) : t('fixed')}
      </p>
      <AssumedTariffs of={price.metadata} />
      <p>{t('zone', { zone })}</p>
    </div>
  );
}
