import type { CalendarPattern, Interval, RecurringPeriod } from './eltariff.ts';

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

/** Dates are compared as text, which orders them. */
export const holds = ({ fromIncluding, toExcluding }: Interval, date: string): boolean =>
  fromIncluding <= date && date < toExcluding;

export const recurs = (
  { activePeriods }: RecurringPeriod,
  at: { date: string; time: string },
  calendar: Calendar,
): boolean =>
  activePeriods.some(
    ({ fromIncluding, toExcluding, calendarPatternReferences: { include, exclude } }) =>
      isBetween(fromIncluding, toExcluding, at.time) &&
      (include.length === 0 || include.some((reference) => calendar.matches(reference, at.date))) &&
      !exclude.some((reference) => calendar.matches(reference, at.date)),
  );

const midnight = '00:00:00';

/** An end at midnight is the end of the day; one before the start wraps, and both parts belong to the day of the time. */
function isBetween(from: string, to: string, time: string): boolean {
  if (to === midnight) return from <= time;
  return from < to ? from <= time && time < to : from <= time || time < to;
}
