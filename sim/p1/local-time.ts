import { hourMs } from '#contract/time.ts';

/** Central European time. */
export type LocalTime = {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  /** 0 is Sunday */
  weekday: number;
  isSummer: boolean;
};

/** Returns the start or end of summer time: 01:00 UTC on the last Sunday of the month. */
function changeOf(year: number, month: number): number {
  const lastDay = new Date(Date.UTC(year, month + 1, 0));
  return Date.UTC(year, month, lastDay.getUTCDate() - lastDay.getUTCDay(), 1);
}

export function localTime(at: number): LocalTime {
  const year = new Date(at).getUTCFullYear();
  const isSummer = at >= changeOf(year, 2) && at < changeOf(year, 9);
  const shifted = new Date(at + (isSummer ? 2 : 1) * hourMs);
  return {
    year: shifted.getUTCFullYear(),
    month: shifted.getUTCMonth() + 1,
    day: shifted.getUTCDate(),
    hour: shifted.getUTCHours(),
    minute: shifted.getUTCMinutes(),
    second: shifted.getUTCSeconds(),
    weekday: shifted.getUTCDay(),
    isSummer,
  };
}
