import type { CalendarPattern } from './eltariff.ts';

/** Which days a name of the price list stands for. */
export type Calendar = {
  /** A name that nobody defined stands for no day. */
  matches(reference: string, date: string): boolean;
};

export function createCalendar(patterns: readonly CalendarPattern[]): Calendar {
  const known = new Map(
    patterns.map(({ reference, days, dates }) => [reference, { days: new Set(days), dates: new Set(dates) }]),
  );
  return {
    matches(reference, date) {
      const pattern = known.get(reference);
      return pattern !== undefined && (pattern.dates.has(date) || pattern.days.has(weekdayOf(date)));
    },
  };
}

/** 1 is Monday, 7 is Sunday. */
const weekdayOf = (date: string): number => new Date(date).getUTCDay() || 7;
