import { type SiteKind, siteKinds } from '#contract/balance.ts';
import type { SiteHistory } from '#contract/cloud/telemetry.ts';
import { dayMs, hourMs } from '#contract/time.ts';
import { dateAt, startOfDate, wallAt } from '#contract/time-zone.ts';
import { addDays, monthAfter } from '../../chart/calendar.ts';
import type { Values } from '../../chart/series.ts';
import { bucketEnd } from './resolution.ts';

export type TimeRange = { from: number; to: number };

export type BarUnit = 'hour' | 'day' | 'month';

const barUnitFor = (lengthMs: number): BarUnit =>
  lengthMs <= 3 * dayMs ? 'hour' : lengthMs <= 62 * dayMs ? 'day' : 'month';

/** Divides a range into hours, days or months of the site's calendar, one bar each. */
export function calendarBarsOf({ from, to }: TimeRange, timeZone?: string): { kind: BarUnit; slots: TimeRange[] } {
  const kind = barUnitFor(to - from);
  const slots: TimeRange[] = [];
  for (let start = from; start < to; ) {
    const end = Math.min(to, endOf(kind, start, timeZone));
    slots.push({ from: start, to: end });
    start = end;
  }
  return { kind, slots };
}

function endOf(kind: BarUnit, start: number, timeZone: string | undefined): number {
  if (kind === 'hour') return start + hourMs - (wallAt(timeZone, start) % hourMs);
  const day = dateAt(timeZone, start);
  return startOfDate(timeZone, kind === 'day' ? addDays(day, 1) : monthAfter(day, 1));
}

/** Mean powers of a site per bucket, in the platform's signs. Buckets without data are left out. */
export type Buckets = {
  ranges: readonly TimeRange[];
  watts: Partial<Record<SiteKind, Values>>;
};

export function bucketsOf({ series, resolution }: SiteHistory, timeZone?: string): Buckets {
  const starts = [...new Set(series.flatMap(({ points }) => points.map(({ timestamp }) => timestamp)))].sort(
    (a, b) => a - b,
  );
  const watts: Buckets['watts'] = {};
  for (const kind of siteKinds) {
    const points = series.find((each) => each.kind === kind)?.points;
    if (!points) continue;
    const byStart = new Map(points.map(({ timestamp, W }) => [timestamp, W]));
    watts[kind] = starts.map((start) => byStart.get(start));
  }
  return { ranges: starts.map((from) => ({ from, to: bucketEnd(from, resolution, timeZone) })), watts };
}
