import { hourMs, minuteMs } from '#contract/time.ts';
import { dateAt, instantOf } from '#contract/time-zone.ts';
import { addDays, type CalendarDay } from '../../chart/calendar.ts';

const marketZone = 'Europe/Brussels';
const publishedAt = '12:50'; // about then the day-ahead market tells the next day

/** When the prices of the day after `today` are published, about. */
export const publicationOf = (today: CalendarDay): number =>
  instantOf(marketZone, Date.parse(`${today}T${publishedAt}:00Z`));

/** Changes when prices should be asked for again: every hour, and every minute while those of tomorrow are due. */
export function askTurn(nowMs: number, today: CalendarDay, isTomorrowKnown: boolean): string {
  const isDue = !isTomorrowKnown && nowMs >= publicationOf(today);
  return isDue ? `minute ${Math.floor(nowMs / minuteMs)}` : `hour ${Math.floor(nowMs / hourMs)}`;
}

/** The next time at which the clocks show hh:mm, no sooner than `leastMs` from now. */
export function nextAt(time: string, nowMs: number, leastMs: number, timeZone?: string): number | undefined {
  if (!/^([01]\d|2[0-3]):[0-5]\d$/.test(time)) return undefined;
  const earliest = nowMs + leastMs;
  const today = dateAt(timeZone, earliest);
  const on = (days: number): number => instantOf(timeZone, Date.parse(`${addDays(today, days)}T${time}:00Z`));
  return on(0) >= earliest ? on(0) : on(1);
}
