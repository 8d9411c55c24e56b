import { type SiteKind, siteKinds } from '#contract/balance.ts';
import type { SiteHistory } from '#contract/cloud/telemetry.ts';
import { dayMs, hourMs } from '#contract/time.ts';
import { dateAt, startOfDate, wallAt } from '#contract/time-zone.ts';
import { addDays, monthAfter } from '../../chart/calendar.ts';
import type { Values } from '../../chart/series.ts';
import type { Span } from './energy.ts';
import { bucketEnd } from './resolution.ts';

export type SlotKind = 'hour' | 'day' | 'month';

const slotKindFor = (lengthMs: number): SlotKind =>
  lengthMs <= 3 * dayMs ? 'hour' : lengthMs <= 62 * dayMs ? 'day' : 'month';

/** The range in hours, days or months of the calendar at the site: a bar each. */
export function slotsOf({ from, to }: Span, timeZone?: string): { kind: SlotKind; slots: Span[] } {
  const kind = slotKindFor(to - from);
  const slots: Span[] = [];
  for (let start = from; start < to; ) {
    const end = Math.min(to, endOf(kind, start, timeZone));
    slots.push({ from: start, to: end });
    start = end;
  }
  return { kind, slots };
}

function endOf(kind: SlotKind, start: number, timeZone: string | undefined): number {
  if (kind === 'hour') return start + hourMs - (wallAt(timeZone, start) % hourMs);
  const day = dateAt(timeZone, start);
  return startOfDate(timeZone, kind === 'day' ? addDays(day, 1) : monthAfter(day, 1));
}

/** The mean powers of a site, bucket by bucket, in the signs of the platform. Buckets without data are not there. */
export type Buckets = {
  starts: readonly number[];
  ends: readonly number[];
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
  return { starts, ends: starts.map((start) => bucketEnd(start, resolution, timeZone)), watts };
}
