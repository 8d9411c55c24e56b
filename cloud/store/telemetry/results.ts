import type { BucketColumns, FieldColumns } from './bucket-columns.ts';
import type { Readings, SparseReading } from './readings.ts';
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

export function toSparse({ at, fields }: Readings): SparseReading[] {
  const readings = Array.from(at, (instant): SparseReading => ({ at: instant, values: new Map() }));
  for (const [name, column] of fields) {
    for (let row = 0; row < column.length; row++) {
      if (!Number.isNaN(column[row]!)) readings[row]!.values.set(name, column[row]!);
    }
  }
  return readings;
}

export const fromSparse = ({ at, values }: SparseReading): Reading => ({ at, values: Object.fromEntries(values) });

/** The numbers of a reading as the JSON of an object. */
export function jsonOfValues(values: ReadonlyMap<string, number>, first = ''): string {
  let json = first;
  for (const [name, value] of values) json += `${json === '' ? '' : ','}${JSON.stringify(name)}:${value}`;
  return `{${json}}`;
}

export function toBuckets({ start, fields }: BucketColumns): Bucket[] {
  const columns = Array.from(fields, ([name, field]) => [name, summaryIn(field)] as const);
  const buckets: Bucket[] = [];
  for (let row = 0; row < start.length; row++) {
    const summaries: Record<string, FieldSummary> = {};
    let isEmpty = true;
    for (const [name, summaryAt] of columns) {
      const summary = summaryAt(row);
      if (!summary) continue;
      summaries[name] = summary;
      isEmpty = false;
    }
    if (!isEmpty) buckets.push({ start: start[row]!, fields: summaries });
  }
  return buckets;
}

function summaryIn({ last, spread }: FieldColumns): (row: number) => FieldSummary | undefined {
  if (!spread) {
    return (row) => {
      const value = last[row]!;
      return Number.isNaN(value) ? undefined : { mean: value, min: value, max: value, last: value };
    };
  }
  const { mean, min, max } = spread;
  return (row) => (min[row]! <= max[row]! ? { mean: mean[row]!, min: min[row]!, max: max[row]! } : undefined);
}
