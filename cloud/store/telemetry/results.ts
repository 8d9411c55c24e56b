import type { BucketColumns } from './bucket-columns.ts';
import type { Readings } from './readings.ts';
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

export function toBuckets({ start, fields }: BucketColumns): Bucket[] {
  const columns = Array.from(fields, ([name, { last, spread }]) => ({
    name,
    last,
    ...(spread ?? { mean: last, min: last, max: last }),
  }));
  const buckets: Bucket[] = [];
  for (let row = 0; row < start.length; row++) {
    const summaries: Record<string, FieldSummary> = {};
    let isEmpty = true;
    for (const { name, last, mean, min, max } of columns) {
      const value = last[row]!;
      if (Number.isNaN(value)) continue;
      summaries[name] = { mean: mean[row]!, min: min[row]!, max: max[row]!, last: value };
      isEmpty = false;
    }
    if (!isEmpty) buckets.push({ start: start[row]!, fields: summaries });
  }
  return buckets;
}
