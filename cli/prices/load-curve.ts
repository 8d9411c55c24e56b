import type { Ohmstead } from '#contract/client/connect.ts';
import type { LoadInterval } from '#contract/price/total.ts';
import { Problem } from '#contract/problem.ts';
import { formatTime, hourMs, minuteMs } from '#contract/time.ts';
import { instantOf } from '#contract/time-zone.ts';
import { readLoadCsv } from '#price/total/load-curve.ts';
import { createSiteReader, slicesOf, type TimeRange } from '../history/history.ts';

const quarterMs = 15 * minuteMs;
const withoutOffset = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(:\d{2})?$/;

/** Reads a load curve from CSV. Times without an offset are local times. */
export function curveOfCsv(text: string, timeZone: string): LoadInterval[] {
  let previous = Number.NEGATIVE_INFINITY;
  /** Reads a local time. If the clocks show it twice, returns the first instant after the previous interval began. */
  const read = (written: string | number): number | undefined => {
    const [, date, minute, second = ':00'] = withoutOffset.exec(String(written)) ?? [];
    if (!date) return undefined;
    const first = instantOf(timeZone, Date.parse(`${date}T${minute}${second}Z`));
    return first <= previous && first + hourMs > previous ? first + hourMs : first;
  };
  return readLoadCsv(text).intervals.map(({ start, end, ...energy }) => {
    const began = read(start);
    previous = began ?? previous;
    const ended = end === undefined ? undefined : read(end);
    return {
      start: began === undefined ? start : formatTime(began),
      ...(end !== undefined && { end: ended === undefined ? end : formatTime(ended) }),
      ...energy,
    };
  });
}

export type SiteCurve = { intervals: LoadInterval[]; missing: number };

/** Reads the load curve of a site in quarter-hours from the readings of its meter. */
export async function curveOfSite(
  api: Ohmstead,
  site: { id: string; name: string },
  { from, to }: TimeRange,
  signal: AbortSignal,
): Promise<SiteCurve> {
  const range = { from: Math.ceil(from / quarterMs) * quarterMs, to: Math.floor(to / quarterMs) * quarterMs };
  const history = createSiteReader(api, site.id);
  const intervals = new Map<number, LoadInterval>();
  for (const slice of slicesOf(range, '15m')) {
    const { rows } = await history({ ...slice, resolution: '15m' }, signal);
    for (const { timestamp, meter_W: watts } of rows) {
      if (watts === undefined || timestamp < range.from || timestamp >= range.to) continue;
      const kwh = (watts / 1000) * (quarterMs / hourMs);
      intervals.set(timestamp, {
        start: formatTime(timestamp),
        end: formatTime(timestamp + quarterMs),
        import_kwh: Math.max(0, kwh),
        export_kwh: Math.max(0, -kwh),
      });
    }
  }
  if (intervals.size === 0)
    throw new Problem('not_found', `${site.name} has no meter readings from ${formatTime(from)} to ${formatTime(to)}.`);
  return { intervals: [...intervals.values()], missing: (range.to - range.from) / quarterMs - intervals.size };
}
