import { dayMs } from '#contract/time.ts';

/** A day of the calendar, as 2026-03-29. */
export type CalendarDay = string;

export const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && dayFrom(Date.parse(`${text}T00:00:00Z`)) === text;

const dayFrom = (utcMs: number): CalendarDay | undefined =>
  Number.isNaN(utcMs) ? undefined : new Date(utcMs).toISOString().slice(0, 10);

export const addDays = (day: CalendarDay, count: number): CalendarDay =>
  dayFrom(Date.parse(`${day}T00:00:00Z`) + count * dayMs)!;

/** The first day of the month that lies so many months after that of a day. */
export function monthAfter(day: CalendarDay, count: number): CalendarDay {
  const [year, month] = day.split('-').map(Number) as [number, number];
  return new Date(Date.UTC(year, month - 1 + count, 1)).toISOString().slice(0, 10);
}

/** Monday is 0. */
export const weekdayOf = (day: CalendarDay): number => (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
