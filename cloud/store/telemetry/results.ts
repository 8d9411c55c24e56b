import type { Readings } from './readings.ts';
import type { Summaries } from './summaries.ts';
import type { Bucket, FieldSummary, Reading } from './telemetry-store.ts';

export function toReadings({ at, fields }: Readings): Reading[] {
  const columns = [...fields];
  return Array.from(at, (instant, row) => {
    const values: Record<string, number> = {};
    for (const [name, column] of columns) {
      const value = column[row]!;
      if (!Number.isNaN(value)) values[name] = value;
    }
    return { at: instant, values };
  });
}

export function toBuckets({ start, fields }: Summaries): Bucket[] {
  const columns = [...fields];
  const buckets = Array.from(start, (instant, row) => {
    const summaries: Record<string, FieldSummary> = {};
    for (const [name, { last, spread }] of columns) {
      const value = last[row]!;
      if (Number.isNaN(value)) continue;
      summaries[name] = spread
        ? { mean: spread.sum[row]! / spread.count[row]!, min: spread.min[row]!, max: spread.max[row]!, last: value }
        : { mean: value, min: value, max: value, last: value };
    }
    return { start: instant, fields: summaries };
  });
  return buckets.filter((bucket) => Object.keys(bucket.fields).length > 0);
}
