import { dateAt, instantOf } from '#contract/time-zone.ts';

const marketZone = 'Europe/Brussels';
const publishedAt = '12:50'; // about then the day-ahead market tells the next day
const minuteMs = 60_000;
const hourMs = 3_600_000;

/** When the prices of the day after the one of `nowMs` are published, about. */
export function publicationOf(nowMs: number): number {
  const today = dateAt(marketZone, nowMs);
  return instantOf(marketZone, Date.parse(`${today}T${publishedAt}:00Z`));
}

/** Changes when prices should be asked for again: every hour, and every minute while those of tomorrow are due. */
export function askTurn(nowMs: number, isTomorrowKnown: boolean): string {
  const isDue = !isTomorrowKnown && nowMs >= publicationOf(nowMs);
  return isDue ? `minute ${Math.floor(nowMs / minuteMs)}` : `hour ${Math.floor(nowMs / hourMs)}`;
}
