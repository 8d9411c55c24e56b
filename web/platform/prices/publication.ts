import { hourMs, minuteMs } from '#contract/time.ts';
import { instantOf } from '#contract/time-zone.ts';
import type { CalendarDay } from '../../chart/calendar.ts';

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
