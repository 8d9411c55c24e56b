import type { CalendarPattern, Component, Interval, Tariff } from '#contract/price/eltariff.ts';
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
 * The price of each wall-clock hour of a year, or NaN without one. `times` is how often the hour occurs: daylight saving
 * time skips one hour in spring and repeats one in autumn.
 */
export type YearHours = { year: number; days: number; amounts: Float64Array; times: Uint8Array };

/** Returns the year to show: this year, or the nearest one with prices. */
export function yearToShow({ fromIncluding, toExcluding }: Interval, today: CalendarDay): number {
  const yearOf = (day: CalendarDay): number => Number(day.slice(0, 4));
  return Math.min(Math.max(yearOf(today), yearOf(fromIncluding)), yearOf(addDays(toExcluding, -1)));
}

export function emptyYear(year: number): YearHours {
  const days = (Date.UTC(year + 1, 0, 1) - Date.UTC(year, 0, 1)) / dayMs;
  const count = days * hoursOfDay;
  return { year, days, amounts: new Float64Array(count).fill(Number.NaN), times: new Uint8Array(count) };
}

export const firstDay = (year: number): CalendarDay => `${year}-01-01`;
export const dayAt = ({ year }: YearHours, index: number): CalendarDay => addDays(firstDay(year), index);

const tidy = (amount: number): number => Math.round(amount * 1e6) / 1e6;

/** Sets the amount of a wall-clock hour. */
export function setHour(hours: YearHours, { date, time }: { date: CalendarDay; time: string }, amount: number): void {
  const day = Math.round((Date.parse(date) - Date.UTC(hours.year, 0, 1)) / dayMs);
  const at = day * hoursOfDay + Number(time.slice(0, 2));
  hours.amounts[at] = tidy(amount);
  hours.times[at]! += 1;
}

/** Returns the distinct amounts, cheapest first, with their number of hours. */
export function levelsOf({ amounts, times }: YearHours): { amount: number; hours: number }[] {
  const counts = new Map<number, number>();
  for (const [at, amount] of amounts.entries()) {
    if (!Number.isNaN(amount)) counts.set(amount, (counts.get(amount) ?? 0) + times[at]!);
  }
  return [...counts].map(([amount, hours]) => ({ amount, hours })).toSorted((a, b) => a.amount - b.amount);
}

type Run = { from: number; to: number; amount: number };

/** Groups the hours of a day into runs of the same amount. */
function runsOf(amounts: Float64Array | number[]): Run[] {
  const runs: Run[] = [];
  for (const [hour, amount] of amounts.entries()) {
    const last = runs.at(-1);
    if (last && Object.is(last.amount, amount)) last.to = hour + 1;
    else runs.push({ from: hour, to: hour + 1, amount });
  }
  return runs;
}

const ofDay = ({ amounts }: YearHours, day: number): Float64Array =>
  amounts.subarray(day * hoursOfDay, (day + 1) * hoursOfDay);

/** Returns the hours of one amount as an SVG path: a day is 1 wide, an hour 1 high. */
export function outlineOf(hours: YearHours, amount: number): string {
  let path = '';
  for (let day = 0; day < hours.days; day++) {
    for (const { from, to, amount: its } of runsOf(ofDay(hours, day))) {
      if (its === amount) path += `M${day} ${from}h1v${to - from}h-1z`;
    }
  }
  return path;
}

export type MonthRow = { month: CalendarDay; weekdays: Run[]; weekends: Run[] };

/** Returns the most common prices of weekdays and weekends for each month. */
export function monthsOf(hours: YearHours): MonthRow[] {
  return Array.from({ length: 12 }, (_, n) => {
    const month = `${hours.year}-${String(n + 1).padStart(2, '0')}-01`;
    const days = Array.from({ length: hours.days }, (_, day) => day).filter((day) =>
      dayAt(hours, day).startsWith(month.slice(0, 7)),
    );
    const { weekdays = [], weekends = [] } = Object.groupBy(days, (day) =>
      weekdayOf(dayAt(hours, day)) >= 5 ? 'weekends' : 'weekdays',
    );
    return { month, weekdays: runsOf(mostCommon(hours, weekdays)), weekends: runsOf(mostCommon(hours, weekends)) };
  });
}

function mostCommon(hours: YearHours, days: readonly number[]): number[] {
  return Array.from({ length: hoursOfDay }, (_, hour) => {
    const counts = new Map<number, number>();
    for (const day of days) {
      const amount = ofDay(hours, day)[hour]!;
      counts.set(amount, (counts.get(amount) ?? 0) + 1);
    }
    return [...counts].reduce((most, next) => (next[1] > most[1] ? next : most), [Number.NaN, 0])[0];
  });
}

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
