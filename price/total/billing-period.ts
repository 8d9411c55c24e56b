import { dayMs } from '#contract/time.ts';
import { addDays } from '#contract/time-zone.ts';
import type { Interval } from '../tariffs/eltariff.ts';

const duration = /^P(\d{1,3})([DWMY])$/;

/** Returns a function that finds the period of a day in days, weeks, months or years; undefined for other durations. */
export function parsePeriod(text: string): ((date: string) => Interval) | undefined {
  const [, digits, unit] = duration.exec(text) ?? [];
  const count = Number(digits);
  if (!count) return undefined;
  if (unit === 'D' || unit === 'W') {
    const days = unit === 'D' ? count : count * 7;
    const monday = 4; // 1970-01-05, so that weeks begin on Monday
    return (date) => {
      const past = (((Math.floor(Date.parse(date) / dayMs) - monday) % days) + days) % days;
      const fromIncluding = addDays(date, -past);
      return { fromIncluding, toExcluding: addDays(fromIncluding, days) };
    };
  }
  const months = unit === 'M' ? count : count * 12;
  return (date) => {
    const month = Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1;
    const first = month - (month % months);
    return { fromIncluding: firstOf(first), toExcluding: firstOf(first + months) };
  };
}

const firstOf = (month: number): string => `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}-01`;

export function periodsOf(text: string, { fromIncluding, toExcluding }: Interval): Interval[] {
  const periods: Interval[] = [];
  const periodOf = parsePeriod(text);
  if (!periodOf) return periods;
  for (let date = fromIncluding; date < toExcluding; ) {
    const period = periodOf(date);
    periods.push(period);
    date = period.toExcluding;
  }
  return periods;
}

export const daysOf = ({ fromIncluding, toExcluding }: Interval): number =>
  Math.max(0, (Date.parse(toExcluding) - Date.parse(fromIncluding)) / dayMs);

export const datesOf = (days: Interval): string[] =>
  Array.from({ length: daysOf(days) }, (_, n) => addDays(days.fromIncluding, n));

/** Returns the intersection; empty when it ends before it begins. */
export const intersection = (...intervals: readonly Interval[]): Interval => ({
  fromIncluding: intervals.reduce((latest, { fromIncluding }) => (fromIncluding > latest ? fromIncluding : latest), ''),
  toExcluding: intervals.reduce((first, { toExcluding }) => (toExcluding < first ? toExcluding : first), '9999-12-31'),
});
