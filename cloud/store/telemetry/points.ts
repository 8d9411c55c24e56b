import { type Fields, readBuckets, type Shelf } from './answers.ts';
import { type BucketColumns, roundedMean } from './bucket-columns.ts';
import { csvRows } from './csv-rows.ts';
import { jsonRows } from './json-rows.ts';
import { readRaw } from './raw.ts';
import type { Readings } from './readings.ts';
import type { AskedPoints, PointsFormat } from './telemetry-store.ts';

/** Readings or buckets as text. */
export async function readPoints(
  shelf: Shelf,
  der: number,
  asked: AskedPoints,
  fields: Fields,
  format: PointsFormat = 'json',
): Promise<Uint8Array<ArrayBuffer>> {
  const write = format === 'csv' ? csvRows : jsonRows;
  if ('from' in asked) return write(await readRaw(shelf.tables, der, asked.from, asked.to, fields), { empty: 'kept' });
  return write(pointsOf(await readBuckets(shelf, der, asked.edges, fields)), { empty: 'dropped' });
}

/** Of a counter its last value; of another field its mean, its least and its greatest. Not finite where there was none. */
function pointsOf({ start, fields }: BucketColumns): Readings {
  const columns = new Map<string, Float64Array>();
  const put = (name: string, column: Float64Array): void => {
    const there = columns.get(name); // a device may have a field of its own that is called W_min
    columns.set(name, there ? column.map((value, row) => (Number.isFinite(value) ? value : there[row]!)) : column);
  };
  for (const [name, { last, spread }] of fields) {
    if (!spread) {
      put(name, last);
      continue;
    }
    put(name, spread.mean.map(roundedMean));
    put(`${name}_min`, spread.min);
    put(`${name}_max`, spread.max);
  }
  return { at: start, fields: columns };
}
