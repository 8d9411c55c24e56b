import { dayMs, minuteMs } from '#contract/time.ts';
import { wallAt } from '#contract/time-zone.ts';

/** What the clocks on the wall show: the day as YYYY-MM-DD and the minute of the day. */
export type Wall = { date: string; minute: number };

export function wallTimeAt(timeZone: string, ms: number): Wall {
  const wall = wallAt(timeZone, ms);
  const day = Math.floor(wall / dayMs);
  return { date: dateOf(day), minute: Math.floor((wall - day * dayMs) / minuteMs) };
}

const mostDates = 20_000;
const dates = new Map<number, string>(); // by the day since 1970; many intervals of a day are asked for

function dateOf(day: number): string {
  let date = dates.get(day);
  if (date === undefined) {
    if (dates.size === mostDates) dates.clear();
    date = new Date(day * dayMs).toISOString().slice(0, 10);
    dates.set(day, date);
  }
  return date;
}

/** HH:MM:SS of a minute of the day. */
export const timeOf = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}:00`;

/** The minute of the day of HH:MM:SS. */
export const minuteOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
