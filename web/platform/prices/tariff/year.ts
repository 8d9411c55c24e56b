import type { Interval } from '#contract/price/eltariff.ts';
import { instantOf, wallAt } from '#contract/time-zone.ts';
import { addDays, type CalendarDay, weekdayOf } from '../../../chart/calendar.ts';

export const hoursOfDay = 24;
const hourMs = 3_600_000;
const dayMs = hoursOfDay * hourMs;

/** What holds in each hour of a year, by day and hour of the clock; NaN where nothing does. */
export type YearHours = { year: number; days: number; amounts: Float64Array };

/** The year to show of a tariff: this one, or the one of its prices that is nearest. */
export function yearToShow({ fromIncluding, toExcluding }: Interval, today: CalendarDay): number {
  const [first, last] = [fromIncluding, addDays(toExcluding, -1)].map((day) => Number(day.slice(0, 4))) as [
    number,
    number,
  ];
  return Math.min(Math.max(Number(today.slice(0, 4)), first), last);
}

export function emptyYear(year: number): YearHours {
  const days = (Date.UTC(year + 1, 0, 1) - Date.UTC(year, 0, 1)) / dayMs;
  return { year, days, amounts: new Float64Array(days * hoursOfDay).fill(Number.NaN) };
}

export const firstDay = (year: number): CalendarDay => `${year}-01-01`;
export const dayAt = ({ year }: YearHours, index: number): CalendarDay => addDays(firstDay(year), index);

const tidy = (amount: number): number => Math.round(amount * 1e6) / 1e6;

/** Adds prices to their hours. An hour that the clocks show twice has its price once. */
export function addPrices(hours: YearHours, entries: readonly { timestamp: string; priceIncVat: number }[]): void {
  const once = new Map<number, number>();
  for (const { timestamp, priceIncVat } of entries) {
    const day = Math.round((Date.parse(`${timestamp.slice(0, 10)}T00:00:00Z`) - Date.UTC(hours.year, 0, 1)) / dayMs);
    if (day >= 0 && day < hours.days) once.set(day * hoursOfDay + Number(timestamp.slice(11, 13)), priceIncVat);
  }
  for (const [at, price] of once) hours.amounts[at] = tidy((hours.amounts[at] || 0) + price);
}

/** Adds a price to every hour of some days. */
export function addAlways(hours: YearHours, { fromIncluding, toExcluding }: Interval, price: number): void {
  for (let day = 0; day < hours.days; day++) {
    const date = dayAt(hours, day);
    if (date < fromIncluding || date >= toExcluding) continue;
    for (let hour = 0; hour < hoursOfDay; hour++) {
      const at = day * hoursOfDay + hour;
      hours.amounts[at] = tidy((hours.amounts[at] || 0) + price);
    }
  }
}

/** An hour that the clocks skip has no price. */
export function forgetSkipped(hours: YearHours, timeZone: string): void {
  for (let day = 0; day < hours.days; day++) {
    const midnight = Date.parse(`${dayAt(hours, day)}T00:00:00Z`);
    if (instantOf(timeZone, midnight + dayMs) - instantOf(timeZone, midnight) >= dayMs) continue;
    for (let hour = 0; hour < hoursOfDay; hour++) {
      const wall = midnight + hour * hourMs;
      const isShown = wallAt(timeZone, instantOf(timeZone, wall)) === wall;
      if (!isShown) hours.amounts[day * hoursOfDay + hour] = Number.NaN;
    }
  }
}

/** The amounts that occur, cheapest first, with the number of hours of each. */
export function levelsOf({ amounts }: YearHours): { amount: number; hours: number }[] {
  const counts = new Map<number, number>();
  for (const amount of amounts) if (!Number.isNaN(amount)) counts.set(amount, (counts.get(amount) ?? 0) + 1);
  return [...counts].map(([amount, hours]) => ({ amount, hours })).toSorted((a, b) => a.amount - b.amount);
}

type Run = { from: number; to: number; amount: number };

/** The hours of a day in runs of the same amount. */
function runsOf(amounts: ArrayLike<number>): Run[] {
  const runs: Run[] = [];
  for (let hour = 0; hour < hoursOfDay; hour++) {
    const last = runs.at(-1);
    if (last && Object.is(last.amount, amounts[hour])) last.to = hour + 1;
    else runs.push({ from: hour, to: hour + 1, amount: amounts[hour]! });
  }
  return runs;
}

const ofDay = ({ amounts }: YearHours, day: number): Float64Array =>
  amounts.subarray(day * hoursOfDay, (day + 1) * hoursOfDay);

/** The hours of one amount as an outline for SVG: a day is one across, an hour one down. */
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

/** A month in words needs its usual days: what most of its weekdays, and most of its weekends, have at an hour. */
export function monthsOf(hours: YearHours): MonthRow[] {
  return Array.from({ length: 12 }, (_, n) => {
    const month = `${hours.year}-${String(n + 1).padStart(2, '0')}-01`;
    const days = Array.from({ length: hours.days }, (_, day) => day).filter((day) =>
      dayAt(hours, day).startsWith(month.slice(0, 7)),
    );
    const [weekdays, weekends] = [false, true].map((isWeekend) =>
      runsOf(
        usual(
          hours,
          days.filter((day) => weekdayOf(dayAt(hours, day)) >= 5 === isWeekend),
        ),
      ),
    ) as [Run[], Run[]];
    return { month, weekdays, weekends };
  });
}

function usual(hours: YearHours, days: readonly number[]): number[] {
  return Array.from({ length: hoursOfDay }, (_, hour) => {
    const counts = new Map<number, number>();
    for (const day of days) {
      const amount = ofDay(hours, day)[hour]!;
      counts.set(amount, (counts.get(amount) ?? 0) + 1);
    }
    return [...counts].reduce((most, next) => (next[1] > most[1] ? next : most), [Number.NaN, 0])[0];
  });
}
