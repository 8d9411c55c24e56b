import { dayMs } from '#contract/time.ts';
import { instantOf, offsetAt, wallAt } from '#contract/time-zone.ts';

/** The first instant of the local day that an instant lies in. */
export const startOfLocalDay = (timeZone: string, ms: number): number =>
  instantOf(timeZone, Math.floor(wallAt(timeZone, ms) / dayMs) * dayMs);

const strideDays = 3; // where the clocks are the same at both ends of so few they were not touched in between

/** The first instants of the local days from the one an instant lies in up to the first at or after another. */
export function localDays(timeZone: string, from: number, to: number): number[] {
  const days = [startOfLocalDay(timeZone, from)];
  let offset: number | undefined; // half a day before the last day began, where that is known
  for (let last = days[0]!; last < to; last = days.at(-1)!) {
    const noonAfter = last + dayMs * 1.5; // well into the next day, whatever the clocks did
    offset ??= offsetAt(timeZone, last - dayMs / 2);
    if (offsetAt(timeZone, noonAfter + strideDays * dayMs) === offset) {
      for (let day = 1; day <= strideDays && days.at(-1)! < to; day++) days.push(last + day * dayMs);
    } else {
      days.push(startOfLocalDay(timeZone, noonAfter));
      offset = undefined;
    }
  }
  return days;
}
