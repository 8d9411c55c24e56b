import { dayMs } from '#contract/time.ts';

/** A calendar day such as 2026-03-29. */
export type CalendarDay = string;

const utcMidnight = (day: string): Date => new Date(`${day}T00:00:00Z`);
const dayOf = (date: Date): CalendarDay => date.toISOString().slice(0, 10);

export function isDay(text: string): boolean {
  const midnight = utcMidnight(text);
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(midnight.getTime()) && dayOf(midnight) === text;
}

export const addDays = (day: CalendarDay, count: number): CalendarDay =>
  dayOf(new Date(utcMidnight(day).getTime() + count * dayMs));

/** Returns the first day of the month that is `count` months after that of `day`. */
export function monthAfter(day: CalendarDay, count: number): CalendarDay {
  const start = utcMidnight(day);
  start.setUTCMonth(start.getUTCMonth() + count, 1);
  return dayOf(start);
}

/** Returns the weekday; Monday is 0. */
export const weekdayOf = (day: CalendarDay): number => (utcMidnight(day).getUTCDay() + 6) % 7;
