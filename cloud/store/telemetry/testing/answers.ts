import type { FieldColumns, TelemetryStore, TextPart } from '../telemetry-store.ts';

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
  return Array.from(columns.start, (start, row) => {
    const summaries = [...columns.fields].flatMap(([name, field]) => {
      const summary = summaryAt(field, row);
      return summary ? [[name, summary] as const] : [];
    });
    return { start, fields: Object.fromEntries(summaries) };
  }).filter((bucket) => Object.keys(bucket.fields).length > 0);
}

function summaryAt({ last, spread }: FieldColumns, row: number): FieldSummary | undefined {
  if (!spread)
    return Number.isNaN(last[row]!)
      ? undefined
      : { mean: last[row]!, min: last[row]!, max: last[row]!, last: last[row]! };
  const [mean, min, max] = [spread.mean[row]!, spread.min[row]!, spread.max[row]!];
  return min <= max ? { mean, min, max } : undefined;
}
