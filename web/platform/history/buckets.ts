import { type SiteKind, siteKinds } from '#contract/balance.ts';
import type { SiteHistory } from '#contract/cloud/telemetry.ts';
import { dayMs, hourMs } from '#contract/time.ts';
import { dateAt, startOfDate, wallAt } from '#contract/time-zone.ts';
import { addDays, monthAfter } from '../../chart/calendar.ts';
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

/** Mean powers of a site in a bucket, in the platform's signs. */
export type Bucket = TimeRange & { watts: Partial<Record<SiteKind, number>> };

/** The buckets with data, and the kinds of the site, whose values may be missing in some or all buckets. */
export type Buckets = { kinds: readonly SiteKind[]; rows: readonly Bucket[] };

export function bucketsOf({ series, resolution }: SiteHistory, timeZone?: string): Buckets {
  const kinds: SiteKind[] = [];
  const rows = new Map<number, Bucket>();
  for (const { kind: name, points } of series) {
    const kind = siteKinds.find((known) => known === name);
    if (!kind) continue;
    kinds.push(kind);
    for (const { timestamp: from, W } of points) {
      const row = rows.get(from) ?? { from, to: bucketEnd(from, resolution, timeZone), watts: {} };
      rows.set(from, row);
      if (W !== undefined) row.watts[kind] = W;
    }
  }
  return { kinds, rows: [...rows.values()].sort((a, b) => a.from - b.from) };
}
