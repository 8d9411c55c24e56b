import { dayMs, minuteMs } from '#contract/time.ts';
import { instantOf, wallAt } from '#contract/time-zone.ts';

/** Quiet hours as minutes of the day; they may span midnight. */
export type QuietMinutes = { from: number; to: number };

/** Returns when quiet hours end if they are now, in local time. A skipped or repeated hour counts as the clock shows it. */
export function quietUntil({ from, to }: QuietMinutes, timeZone: string, now: number): number | undefined {
  const wall = wallAt(timeZone, now);
  const day = Math.floor(wall / dayMs) * dayMs;
  const minute = Math.floor((wall - day) / minuteMs);
  const isQuiet = from <= to ? minute >= from && minute < to : minute >= from || minute < to;
  if (!isQuiet) return undefined;
  const end = instantOf(timeZone, day + (minute < to ? 0 : dayMs) + to * minuteMs);
  return end > now ? end : undefined; // the hour of the end is repeated, and its first pass is over
}

export const minutesOf = (text: string): number => {
  const [hours = 0, minutes = 0] = text.split(':').map(Number);
  return hours * 60 + minutes;
};

export const clockOf = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
