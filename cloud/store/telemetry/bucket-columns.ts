import { isCounter } from '#contract/telemetry.ts';
import { mergeSummaries, type Spread, type Summaries } from './summaries.ts';

/** Buckets that have something, in columns: NaN where a field was not read. All are views of one buffer. */
export type BucketColumns = { start: Float64Array<ArrayBuffer>; fields: Map<string, FieldColumns> };

/** The last value of a counter; of others the mean, the least and the greatest. */
export type FieldColumns =
  | { last: Float64Array; spread?: undefined }
  | { spread: { mean: Float64Array; min: Float64Array; max: Float64Array }; last?: undefined };

const meanSteps = 1000; // means are answered with three decimals; readings are never rounded
const largestRounded = Number.MAX_SAFE_INTEGER / meanSteps;

export const roundedMean = (mean: number): number =>
  Math.abs(mean) < largestRounded ? Math.round(mean * meanSteps) / meanSteps + 0 : mean; // -0 is 0

/** One bucket for each two edges; of two windows with the same start the one of the earlier part counts. */
export function bucketColumns(parts: readonly Summaries[], edges: readonly number[]): BucketColumns {
  const ordered = inOrder(parts);
  const { start, places } = placesOf(ordered, edges);
  const names = [...new Set(ordered.flatMap(({ fields }) => [...fields.keys()]))];
  const room = roomFor(start.length * names.reduce((columns, name) => columns + (isCounter(name) ? 1 : 3), 1));
  const column = (filler: number): Float64Array<ArrayBuffer> => room(start.length).fill(filler);

  const starts = column(0);
  starts.set(start);
  const fields = new Map<string, FieldColumns>();
  for (const name of names) {
    if (isCounter(name)) {
      const last = column(Number.NaN);
      for (const [i, part] of ordered.entries()) {
        const from = part.fields.get(name)?.last;
        if (from) addLast(last, from, places[i]!);
      }
      fields.set(name, { last });
      continue;
    }
    const spread = { mean: column(0), min: column(Number.POSITIVE_INFINITY), max: column(Number.NEGATIVE_INFINITY) };
    const count = new Float64Array(start.length);
    for (const [i, part] of ordered.entries()) {
      const from = part.fields.get(name)?.spread;
      if (from) addSpread({ count, ...spread }, from, places[i]!);
    }
    for (let bucket = 0; bucket < count.length; bucket++) spread.mean[bucket]! /= count[bucket]!;
    fields.set(name, { spread });
  }
  return { start: starts, fields };
}

/** By their time, when none reaches into another; else as one. */
function inOrder(parts: readonly Summaries[]): Summaries[] {
  const ordered = parts.filter(({ start }) => start.length > 0).sort((a, b) => a.start[0]! - b.start[0]!);
  const isApart = ordered.every(({ start }, i) => i === 0 || ordered[i - 1]!.start.at(-1)! < start[0]!);
  return isApart ? ordered : [mergeSummaries(parts)];
}

/** The starts of the buckets that have something, and for each window of each part the bucket it falls into. */
function placesOf(parts: readonly Summaries[], edges: readonly number[]): { start: number[]; places: Int32Array[] } {
  const start: number[] = [];
  let edge = 0; // the end of the bucket that was begun last
  const places = parts.map((part) => {
    const place = new Int32Array(part.start.length);
    for (let i = 0; i < place.length; i++) {
      if (edge === 0 || part.start[i]! >= edges[edge]!) {
        while (part.start[i]! >= edges[edge]!) edge++;
        start.push(edges[edge - 1]!);
      }
      place[i] = start.length - 1;
    }
    return place;
  });
  return { start, places };
}

function roomFor(numbers: number): (length: number) => Float64Array<ArrayBuffer> {
  const all = new Float64Array(numbers);
  let taken = 0;
  return (length) => {
    taken += length;
    return all.subarray(taken - length, taken);
  };
}

function addLast(to: Float64Array, from: Float64Array, places: Int32Array): void {
  for (let i = 0; i < places.length; i++) {
    const value = from[i]!;
    if (!Number.isNaN(value)) to[places[i]!] = value;
  }
}

/** The mean is a sum for now. */
function addSpread(
  { count, mean, min, max }: Omit<Spread, 'sum'> & { mean: Float64Array },
  from: Spread,
  places: Int32Array,
): void {
  for (let i = 0; i < places.length; i++) {
    const counted = from.count[i]!;
    if (counted === 0) continue;
    const place = places[i]!;
    count[place]! += counted;
    mean[place]! += from.sum[i]!;
    if (from.min[i]! < min[place]!) min[place] = from.min[i]!;
    if (from.max[i]! > max[place]!) max[place] = from.max[i]!;
  }
}
