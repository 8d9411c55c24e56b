import { type SiteKind, siteKinds } from '#contract/balance.ts';
import type { SiteHistory } from '#contract/cloud/telemetry.ts';
import type { Values } from '../../chart/series.ts';
import { bucketEnd } from './resolution.ts';

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
