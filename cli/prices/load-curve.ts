import type { Ohmstead } from '#contract/client/connect.ts';
import { getSiteEnergy, quarterMs } from '#contract/cloud/energy.ts';
import type { LoadInterval } from '#contract/price/total.ts';
import { Problem } from '#contract/problem.ts';
import { formatTime, hourMs } from '#contract/time.ts';
import { instantOf } from '#contract/time-zone.ts';
import { readLoadCsv } from '#price/total/load-curve.ts';
import type { TimeRange } from '../history/history.ts';

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

/** Reads the load curve of a site from its energy by the quarter of an hour. */
export async function curveOfSite(
  api: Ohmstead,
  site: { id: string; name: string },
  { from, to }: TimeRange,
  signal: AbortSignal,
): Promise<SiteCurve> {
  const onQuarter = (ms: number): string => formatTime(Math.floor(ms / quarterMs) * quarterMs);
  const { intervals } = await api.call(getSiteEnergy, {
    params: { site_id: site.id },
    query: { from: onQuarter(from), to: onQuarter(to), resolution: '15m' },
    signal,
  });
  const measured = intervals.filter((each) => each.coverage_pct > 0 || each.import_wh > 0 || each.export_wh > 0);
  if (measured.length === 0) {
    const range = `from ${formatTime(from)} to ${formatTime(to)}`;
    throw new Problem('not_found', `The energy of ${site.name} was not measured ${range}.`);
  }
  return {
    intervals: measured.map(({ start, end, import_wh, export_wh }) => ({
      start,
      end,
      import_kwh: import_wh / 1000,
      export_kwh: export_wh / 1000,
    })),
    missing: intervals.length - measured.length,
  };
}
