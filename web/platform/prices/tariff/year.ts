import type { CalendarPattern, Component, Tariff } from '#contract/price/eltariff.ts';
import type { Interval } from '#contract/price/interval.ts';
import {
  type Calendar,
  createCalendar,
  isActiveAt,
  isReactive,
  isValidOn,
  peakShareOf,
} from '#contract/price/tariff-rules.ts';
import { dayMs, hourMs } from '#contract/time.ts';
import { startOfDate, wallAt } from '#contract/time-zone.ts';
import { addDays, type CalendarDay, weekdayOf } from '../../../chart/calendar.ts';

export const hoursOfDay = 24;

/**
 * The price of a wall-clock hour, NaN without one, and how often the hour occurs: daylight saving time skips one hour in
 * spring and repeats one in autumn.
 */
type Hour = { amount: number; times: number };

export type YearHours = { year: number; days: Hour[][] };

/** Returns the year to show: this year, or the nearest one with prices. */
export function yearToShow({ fromIncluding, toExcluding }: Interval, today: CalendarDay): number {
  const yearOf = (day: CalendarDay): number => Number(day.slice(0, 4));
  return Math.min(Math.max(yearOf(today), yearOf(fromIncluding)), yearOf(addDays(toExcluding, -1)));
}

export function emptyYear(year: number): YearHours {
  const count = (Date.UTC(year + 1, 0, 1) - Date.UTC(year, 0, 1)) / dayMs;
  const emptyDay = (): Hour[] => Array.from({ length: hoursOfDay }, () => ({ amount: Number.NaN, times: 0 }));
  return { year, days: Array.from({ length: count }, emptyDay) };
}

const firstDay = (year: number): CalendarDay => `${year}-01-01`;
export const dayAt = ({ year }: YearHours, index: number): CalendarDay => addDays(firstDay(year), index);

const tidy = (amount: number): number => Math.round(amount * 1e6) / 1e6;

export function setHour(
  { year, days }: YearHours,
  { date, time }: { date: CalendarDay; time: string },
  amount: number,
): void {
  const day = Math.round((Date.parse(date) - Date.UTC(year, 0, 1)) / dayMs);
  const hour = days[day]?.[Number(time.slice(0, 2))];
  if (!hour) return;
  hour.amount = tidy(amount);
  hour.times += 1;
}

/** Returns the distinct amounts, cheapest first, with their number of hours. */
export function levelsOf({ days }: YearHours): { amount: number; hours: number }[] {
  const counts = new Map<number, number>();
  for (const { amount, times } of days.flat()) {
    if (!Number.isNaN(amount)) counts.set(amount, (counts.get(amount) ?? 0) + times);
  }
  return [...counts].map(([amount, hours]) => ({ amount, hours })).toSorted((a, b) => a.amount - b.amount);
}

type Run = { from: number; to: number; amount: number };

/** Groups the hours of a day into runs of the same amount. */
function runsOf(hours: readonly Pick<Hour, 'amount'>[]): Run[] {
  const runs: Run[] = [];
  for (const [hour, { amount }] of hours.entries()) {
    const last = runs.at(-1);
    if (last && Object.is(last.amount, amount)) last.to = hour + 1;
    else runs.push({ from: hour, to: hour + 1, amount });
  }
  return runs;
}

/** Returns the hours of one amount as an SVG path: a day is 1 wide, an hour 1 high. */
export const outlineOf = ({ days }: YearHours, amount: number): string =>
  days
    .flatMap((hours, day) => runsOf(hours).map((run) => ({ ...run, day })))
    .filter((run) => run.amount === amount)
    .map(({ day, from, to }) => `M${day} ${from}h1v${to - from}h-1z`)
    .join('');

export type MonthRow = { month: CalendarDay; weekdays: Run[]; weekends: Run[] };

/** Returns the most common prices of weekdays and weekends for each month. */
export function monthsOf(year: YearHours): MonthRow[] {
  const days = year.days.map((hours, index) => ({ date: dayAt(year, index), hours }));
  const months = Map.groupBy(days, ({ date }) => `${date.slice(0, 7)}-01`);
  return Array.from(months, ([month, ofMonth]) => {
    const { weekdays = [], weekends = [] } = Object.groupBy(ofMonth, ({ date }) =>
      weekdayOf(date) >= 5 ? 'weekends' : 'weekdays',
    );
    return { month, weekdays: runsOf(mostCommon(weekdays)), weekends: runsOf(mostCommon(weekends)) };
  });
}

const mostCommon = (days: readonly { hours: Hour[] }[]): { amount: number }[] =>
  Array.from({ length: hoursOfDay }, (_, hour) => {
    const amounts = days.flatMap(({ hours }) => hours.slice(hour, hour + 1).map(({ amount }) => amount));
    const counts = Map.groupBy(amounts, (amount) => amount);
    const [amount = Number.NaN] = [...counts.values()].toSorted((a, b) => b.length - a.length)[0] ?? [];
    return { amount };
  });

export type PriceGroupName = 'energyPrice' | 'powerPrice';

/** Returns the price of a tariff group for each hour of a year, including VAT but not the spot price. */
export function tariffYear(
  tariff: Tariff,
  patterns: readonly CalendarPattern[],
  group: PriceGroupName,
  year: number,
): YearHours {
  const { timeZone, validPeriod } = tariff;
  const components = tariff[group].components.filter((component) => !isReactive(component));
  const calendar = createCalendar(patterns);
  const hours = emptyYear(year);
  const end = startOfDate(timeZone, firstDay(year + 1));
  for (let ms = startOfDate(timeZone, firstDay(year)); ms < end; ms += hourMs) {
    const wall = new Date(wallAt(timeZone, ms)).toISOString();
    const at = { date: wall.slice(0, 10), time: wall.slice(11, 19) };
    const charged = isValidOn(validPeriod, at.date) ? components.flatMap((each) => priceAt(each, at, calendar)) : [];
    const amount = charged.length > 0 ? charged.reduce((sum, price) => sum + price) : Number.NaN;
    setHour(hours, at, amount);
  }
  return hours;
}

/** Returns no price if the component is not active. A peak that counts half costs half. */
function priceAt(component: Component, at: { date: string; time: string }, calendar: Calendar): number[] {
  const { price, validPeriod, recurringPeriods: periods, peakIdentificationSettings: peak } = component;
  if (!price || !isValidOn(validPeriod, at.date)) return [];
  if (!periods?.length) return [price.priceIncVat];
  const shares = periods
    .filter((period) => isActiveAt(period, at, calendar))
    .map(({ reference }) => peakShareOf(reference, peak?.peakFunction ?? ''));
  return shares.length > 0 ? [price.priceIncVat * Math.max(...shares)] : [];
}
