import { hourMs, minuteMs } from '#contract/time.ts';
import { dateAt, instantOf } from '#contract/time-zone.ts';
import { addDays, type CalendarDay } from '../../chart/calendar.ts';

const marketZone = 'Europe/Brussels';
const publishedAt = '12:50'; // the day-ahead market publishes the next day around this time

/** Returns the approximate time at which tomorrow's prices are published. */
export const publicationOf = (today: CalendarDay): number =>
  instantOf(marketZone, Date.parse(`${today}T${publishedAt}:00Z`));

/** Returns a key that changes when prices must be reloaded: hourly, and every minute while tomorrow's prices are due. */
export function refreshTurn(nowMs: number, today: CalendarDay, isTomorrowKnown: boolean): string {
  const isDue = !isTomorrowKnown && nowMs >= publicationOf(today);
  return isDue ? `minute ${Math.floor(nowMs / minuteMs)}` : `hour ${Math.floor(nowMs / hourMs)}`;
}

/** Returns the next time the clock shows hh:mm, at least `leastMs` from now. */
export function nextTimeOfDay(time: string, nowMs: number, leastMs: number, timeZone?: string): number | undefined {
  if (!/^([01]\d|2[0-3]):[0-5]\d$/.test(time)) return undefined;
  const earliest = nowMs + leastMs;
  const today = dateAt(timeZone, earliest);
  const on = (days: number): number => instantOf(timeZone, Date.parse(`${addDays(today, days)}T${time}:00Z`));
  return on(0) >= earliest ? on(0) : on(1);
}
