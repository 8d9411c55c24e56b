import { type SiteKind, siteKinds } from '#contract/balance.ts';
import type { SiteHistory } from '#contract/cloud/telemetry.ts';
import { bucketEnd } from './resolution.ts';

export type TimeRange = { from: number; to: number };

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
