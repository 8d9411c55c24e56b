import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { CalendarPattern, PriceGroup, Tariff } from '#contract/price/eltariff.ts';
import { dayMs } from '#contract/time.ts';
import { dateAt } from '#contract/time-zone.ts';
import { choicesOf, Segments } from '../../../parts/field.tsx';
import { Card, Table } from '../../../parts/layout.tsx';
import { timeNow } from '../../../parts/now.ts';
import { pointProps } from '../../../parts/pointing.ts';
import { day as dayWords, inUnit, money, month, month as monthWords, texts } from '../../../parts/text.ts';
import {
  dayAt,
  hoursOfDay,
  levelsOf,
  type MonthRow,
  monthsOf,
  outlineOf,
  type PriceGroupName,
  tariffYear,
  type YearHours,
  yearToShow,
} from './year.ts';

const t = texts({
  title: 'Tariff over the year {year}',
  says: 'Each column is a day and each row an hour. Prices include VAT but not the spot price.',
  group: 'fee|Charge',
  energyPrice: 'Energy',
  powerPrice: 'Power',
  kWh: '{price}/kWh',
  kW: '{price}/kW',
  none: 'These charges do not vary by hour.',
  weekdays: 'heading|Monday–Friday',
  weekends: 'Weekends',
  usual: 'Typical prices per month; holidays may differ.',
  nothing: 'no price',
  map: 'Hours of {year}. Use left and right to change the day, up and down to change the hour.',
  at: '{day}, {from}:00–{to}:00: {price}',
});

export function YearCard({ tariff, patterns }: { tariff: Tariff; patterns: readonly CalendarPattern[] }) {
  const group = useSignal<PriceGroupName>(changes(tariff.energyPrice) ? 'energyPrice' : 'powerPrice');
  const today = dateAt(tariff.timeZone, timeNow());
  const year = yearToShow(tariff.validPeriod, today);
  const shown = group.value;
  const hours = useMemo(() => tariffYear(tariff, patterns, shown, year), [tariff, patterns, shown, year]);
  return (
    <Card
      title={t('title', { year })}
      beside={<Segments label={t('group')} value={group} choices={choicesOf(['energyPrice', 'powerPrice'], t)} />}
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
        <summary>{t('showAsTable')}</summary>
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

const pad = (hour: number): string => String(hour).padStart(2, '0');
const noonOf = (date: string): number => Date.parse(`${date}T12:00:00Z`);

/** Heat map of a year: days across, hours down, darker is more expensive. */
function YearMap({ hours, price, startAt }: { hours: YearHours; price(amount: number): string; startAt: number }) {
  const at = useSignal(startAt);
  const { year } = hours;
  const days = hours.days.length;
  const levels = levelsOf(hours);
  const strengthOf = (n: number): number => (levels.length < 2 ? 0.5 : 0.15 + (0.85 * n) / (levels.length - 1));
  const [day, hour] = [Math.floor(at.value / hoursOfDay), at.value % hoursOfDay];
  const amount = hours.days[day]?.[hour]?.amount ?? Number.NaN;
  const words = t('at', {
    day: dayWords(noonOf(dayAt(hours, day)), 'UTC'),
    from: pad(hour),
    to: pad(hour + 1),
    price: Number.isNaN(amount) ? t('nothing') : price(amount),
  });

  const choose = (nextDay: number, nextHour: number): void => {
    const clamp = (value: number, most: number): number => Math.min(Math.max(value, 0), most);
    at.value = clamp(nextDay, days - 1) * hoursOfDay + clamp(nextHour, hoursOfDay - 1);
  };
  const point = (across: number, down: number): void =>
    choose(Math.floor(across * days), Math.floor(down * hoursOfDay));
  const keys: Record<string, () => void> = {
    ArrowLeft: () => choose(day - 1, hour),
    ArrowRight: () => choose(day + 1, hour),
    ArrowUp: () => choose(day, hour - 1),
    ArrowDown: () => choose(day, hour + 1),
    PageUp: () => choose(day - 30, hour),
    PageDown: () => choose(day + 30, hour),
    Home: () => choose(0, hour),
    End: () => choose(days - 1, hour),
  };
  const months = Array.from({ length: 12 }, (_, n) => Date.UTC(year, n, 1));
  const acrossOf = (ms: number): string => `${((ms - Date.UTC(year, 0, 1)) / 864_000 / days).toFixed(3)}%`;
  return (
    <>
      <ul class="year-levels" aria-label={t('legend')}>
        {levels.map(({ amount: level, hours: count }, n) => (
          <li key={level}>
            <svg class="price-swatch" viewBox="0 0 1 1" aria-hidden="true">
              <rect width={1} height={1} fill-opacity={strengthOf(n)} />
            </svg>
            {price(level)} <span class="says">{inUnit(count, 'hour')}</span>
          </li>
        ))}
      </ul>
      <div class="year-scroll">
        <div class="year-frame">
          <div class="year-hours" aria-hidden="true">
            {['00', '06', '12', '18'].map((text) => (
              <span key={text}>{text}</span>
            ))}
          </div>
          <div
            class="year-map"
            role="slider"
            aria-label={t('map', { year })}
            aria-valuemin={0}
            aria-valuemax={days * hoursOfDay - 1}
            aria-valuenow={at.value}
            aria-valuetext={words}
            tabIndex={0}
            {...pointProps({ point, keys })}
          >
            <svg viewBox={`0 0 ${days} ${hoursOfDay}`} preserveAspectRatio="none" aria-hidden="true">
              {levels.map(({ amount: level }, n) => (
                <path key={level} d={outlineOf(hours, level)} fill-opacity={strengthOf(n)} />
              ))}
              <rect class="chosen" x={day} y={hour} width={1} height={1} />
            </svg>
          </div>
          <div class="year-months" aria-hidden="true">
            {months.map((ms) => (
              <span key={ms} style={{ left: acrossOf(ms) }}>
                {monthWords(ms, 'UTC')}
              </span>
            ))}
          </div>
        </div>
      </div>
      <p class="year-at">{words}</p>
    </>
  );
}
