import type { BucketColumns, TelemetryStore, TextPart } from '../telemetry-store.ts';

/** The numbers of a reading; absent values are left out. */
export type Reading = { at: number; values: Record<string, number> };

/** A field within a bucket. A counter has `last`, which its other values equal. */
export type FieldSummary = { mean: number; min: number; max: number; last?: number };

export type Bucket = { start: number; fields: Record<string, FieldSummary> };

/** Joins all parts of a text. */
export async function textOf(parts: AsyncGenerator<TextPart>): Promise<string> {
  const all: Uint8Array[] = [];
  for await (const { bytes } of parts) all.push(bytes);
  return Buffer.concat(all).toString();
}

/** Reads the readings in [from, to), in order. */
export async function rawOf(
  store: TelemetryStore,
  der: number,
  from: number,
  to: number,
  fields?: readonly string[],
): Promise<Reading[]> {
  const points: ({ timestamp: number } & Record<string, number>)[] = JSON.parse(
    await textOf(store.points(der, { from, to }, fields)),
  );
  return points.map(({ timestamp, ...values }) => ({ at: timestamp, values }));
}

/** Reads buckets as objects, without empty ones. */
export async function bucketsOf(
  store: TelemetryStore,
  der: number,
  edges: readonly number[],
  fields?: readonly string[],
): Promise<Bucket[]> {
  const columns = await store.buckets(der, edges, fields);
  const names = new Set(Array.from(columns.fields.keys(), (column) => column.slice(column.indexOf(' ') + 1)));
  return Array.from(columns.at, (start, row) => {
    const summaries = [...names].flatMap((name) => {
      const summary = summaryAt(columns, name, row);
      return summary ? [[name, summary] as const] : [];
    });
    return { start, fields: Object.fromEntries(summaries) };
  }).filter((bucket) => Object.keys(bucket.fields).length > 0);
}

function summaryAt({ fields }: BucketColumns, name: string, row: number): FieldSummary | undefined {
  const valueIn = (part: string): number => fields.get(`${part} ${name}`)?.[row] ?? Number.NaN;
  const last = valueIn('last');
  if (!Number.isNaN(last)) return { mean: last, min: last, max: last, last };
  const [mean, min, max] = [valueIn('mean'), valueIn('min'), valueIn('max')];
  return min <= max ? { mean, min, max } : undefined;
}
