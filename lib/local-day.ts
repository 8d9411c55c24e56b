import { dayMs } from '#contract/time.ts';
import { instantOf, offsetAt, wallAt } from '#contract/time-zone.ts';

/** Returns the first instant of the local day that contains an instant. */
export const startOfLocalDay = (timeZone: string, ms: number): number =>
  instantOf(timeZone, Math.floor(wallAt(timeZone, ms) / dayMs) * dayMs);

const strideDays = 3; // if the UTC offset is the same at both ends of so few days, it did not change in between

/** Returns the first instants of the local days from the one that contains `from` to the first at or after `to`. */
export function localDays(timeZone: string, from: number, to: number): number[] {
  let last = startOfLocalDay(timeZone, from);
  const days = [last];
  let offset: number | undefined; // half a day before the last day began, if known
  while (last < to) {
    const noonAfter = last + dayMs * 1.5; // in the next day, even if the clocks changed
    offset ??= offsetAt(timeZone, last - dayMs / 2);
    if (offsetAt(timeZone, noonAfter + strideDays * dayMs) === offset) {
      for (let day = 0; day < strideDays && last < to; day++) {
        last += dayMs;
        days.push(last);
      }
    } else {
      last = startOfLocalDay(timeZone, noonAfter);
      days.push(last);
      offset = undefined;
    }
  }
  return days;
}
