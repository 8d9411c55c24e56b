import { isCounter } from '#contract/telemetry.ts';
import { dayMs, hourMs } from '#contract/time.ts';
import { decodeReadings, holdsOnlyReadings, readingsBody } from './codec/reading-chunk.ts';
import { decodeRollups } from './codec/summary-chunk.ts';
import { coarsestRollup, fallbackRollup, minuteRollups, type RollupLevel, windowStart } from './levels.ts';
import { mergeReadings, parseReadings, sliceReadings } from './readings.ts';
import { fieldsOf, lastOf, mergeSummaries, type Spread, type Summaries, spreadOf, summarizeHour } from './summaries.ts';
import { type Chunk, type Tier, tiers } from './tables.ts';
import { type Fields, type TelemetryReader, toSet } from './telemetry-reader.ts';
import type { BucketColumns } from './telemetry-store.ts';

const meanSteps = 1000; // means are answered with three decimals; readings are never rounded
const largestRounded = Number.MAX_SAFE_INTEGER / meanSteps;

export const roundedMean = (mean: number): number =>
  Math.abs(mean) < largestRounded ? Math.round(mean * meanSteps) / meanSteps + 0 : mean; // -0 is 0

/** Reads a bucket for each two edges between which there are readings. */
export async function readBuckets(
  { tables, hotReadings, decoded }: TelemetryReader,
  der: number,
  edges: readonly number[],
  fields?: Fields,
): Promise<BucketColumns> {
  const only = toSet(fields);
  const level = coarsestRollup(edges);
  const fallback = fallbackRollup(level, edges);
  const from = edges[0] ?? 0;
  const to = edges.at(-1) ?? 0;
  const firstHour = windowStart(from, hourMs);
  const endHour = windowStart(to - 1, hourMs) + hourMs;

  const hotRows = await hotReadings(der, firstHour, endHour, fields);
  const after = hotRows.at.length > 0 ? await tables.hotRows(der, endHour, endHour + hourMs, 2) : [];
  const open = [...new Set(Array.from(hotRows.at, (at) => windowStart(at, hourMs)))]; // hours with hot readings
  const openDays = [...new Set(open.map((hour) => windowStart(hour, dayMs)))];
  const chunks = await tables.chunks(der, [
    { tier: tiers.hour, from: firstHour, to },
    ...(level === minuteRollups
      ? [
          { tier: tiers.day, from: windowStart(from, dayMs), to },
          { tier: tiers.hourOfDay, from: firstHour, to },
        ]
      : [
          ...openDays.map((day) => ({ tier: tiers.day, from: day, to: day + 1 })),
          ...open.map((hour) => ({ tier: tiers.hourOfDay, from: hour, to: hour + 1 })),
        ]),
    ...[level, ...(fallback ? [fallback] : [])].map(({ tier, spanMs }) => ({
      tier,
      from: windowStart(from, spanMs),
      to,
    })),
  ]);

  const withReadings = chunks
    .filter(({ tier, start }) => (tier === tiers.day ? openDays : holdsHour(tier) ? open : []).includes(start))
    .map((chunk) => decodeReadings(readingsBody(chunk), only));
  const hot = mergeReadings([hotRows, parseReadings(after, only)]);
  const fresh = open.map((hour) => {
    const sealed = withReadings.map((part) => sliceReadings(part, hour, hour + 2 * hourMs));
    const readings = mergeReadings([...sealed, sliceReadings(hot, hour, hour + 2 * hourMs)]);
    return summarizeHour(
      sliceReadings(readings, hour, hour + hourMs),
      sliceReadings(readings, hour + hourMs, hour + 2 * hourMs),
    );
  });
  const fieldsKey = fields ? JSON.stringify(fields) : 'all';
  const summariesIn = (chunk: Chunk): Summaries => {
    const key = `${der} ${chunk.tier} ${chunk.start} ${level.tier} ${fieldsKey}`;
    return sliceReadings(
      decoded.get(key, chunk.body, () => decodeRollups(chunk, level, only)),
      firstHour,
      endHour,
    );
  };
  const finest = [...withoutHours(chunks.filter(hasSummaries(level)).map(summariesIn), open), ...fresh];
  const hours = fallback
    ? withoutHours(chunks.filter(({ tier }) => tier === fallback.tier).map(summariesIn), hoursOf(finest))
    : [];
  return bucketColumns(
    [...finest, ...hours].map((part) => sliceReadings(part, from, to)),
    edges,
  );
}

const holdsHour = (tier: Tier): boolean => tier === tiers.hour || tier === tiers.hourOfDay;

/** Selects the chunks that rollups of a level can be read from. Minutes are computed from the readings of a day. */
const hasSummaries =
  (level: RollupLevel) =>
  ({ tier }: Chunk): boolean =>
    tier === level.tier || tier === tiers.hour || (holdsOnlyReadings(tier) && level === minuteRollups);

/** Returns the hours that have rollups, in order. */
const hoursOf = (parts: readonly Summaries[]): number[] =>
  [...new Set(parts.flatMap(({ at }) => Array.from(at, (start) => windowStart(start, hourMs))))].sort((a, b) => a - b);

/** Leaves out the rollups of these hours (in order), which are replaced by fresher ones. */
function withoutHours(sealed: Summaries[], hours: readonly number[]): Summaries[] {
  const gaps: { begin: number; end: number }[] = [];
  let begin = 0;
  for (const end of [...hours, Number.POSITIVE_INFINITY]) {
    if (begin < end) gaps.push({ begin, end });
    begin = end + hourMs;
  }
  return sealed.flatMap((part) => {
    return gaps
      .filter((gap) => gap.begin <= endOf(part) && gap.end > beginOf(part))
      .map((gap) => sliceReadings(part, gap.begin, gap.end));
  });
}

/** Aggregates rollups into buckets. When two windows have the same start, that of the earlier part counts. */
function bucketColumns(parts: readonly Summaries[], edges: readonly number[]): BucketColumns {
  const ordered = inOrder(parts);
  const { start, placed } = placesOf(ordered, edges);
  const names = fieldsOf(ordered);
  const room = roomFor(start.length * names.reduce((columns, name) => columns + (isCounter(name) ? 1 : 3), 1));
  const at = room(start.length);
  at.set(start);
  const fields = new Map<string, Float64Array>();
  const column = (name: string, filler: number): Float64Array => {
    const added = room(start.length).fill(filler);
    fields.set(name, added);
    return added;
  };
  for (const name of names) {
    if (isCounter(name)) {
      const last = column(`last ${name}`, Number.NaN);
      for (const { part, places } of placed) addLast(last, lastOf(part, name), places);
      continue;
    }
    const mean = column(`mean ${name}`, 0); // the sum, until it is divided by the count
    const min = column(`min ${name}`, Number.POSITIVE_INFINITY);
    const max = column(`max ${name}`, Number.NEGATIVE_INFINITY);
    const count = new Float64Array(start.length);
    for (const { part, places } of placed) addSpread({ count, sum: mean, min, max }, spreadOf(part, name), places);
    for (const [bucket, counted] of count.entries()) mean[bucket]! /= counted;
  }
  return { at, fields };
}

const beginOf = ({ at }: Summaries): number => at[0] ?? Number.NaN;
const endOf = ({ at }: Summaries): number => at.at(-1) ?? Number.NaN;

/** Sorts parts by time; merges them when they overlap. */
function inOrder(parts: readonly Summaries[]): Summaries[] {
  const ordered = parts.filter(({ at }) => at.length > 0).sort((a, b) => beginOf(a) - beginOf(b));
  const isApart = ordered.slice(1).every((part, i) => endOf(ordered[i]!) < beginOf(part));
  return isApart ? ordered : [mergeSummaries(parts)];
}

/** A part, and the bucket of each of its windows. */
type PlacedPart = { part: Summaries; places: Int32Array };

/** Returns the starts of the buckets with data, and the parts with their buckets. */
function placesOf(parts: readonly Summaries[], edges: readonly number[]): { start: number[]; placed: PlacedPart[] } {
  const start: number[] = [];
  let edge = 0; // the end of the current bucket
  const isPast = (at: number): boolean => at >= (edges[edge] ?? Number.POSITIVE_INFINITY);
  const placed = parts.map((part) => {
    const places = Int32Array.from(part.at, (at) => {
      if (edge === 0 || isPast(at)) {
        while (isPast(at)) edge++;
        start.push(edges[edge - 1]!);
      }
      return start.length - 1;
    });
    return { part, places };
  });
  return { start, placed };
}

function roomFor(numbers: number): (length: number) => Float64Array<ArrayBuffer> {
  const all = new Float64Array(numbers);
  let taken = 0;
  return (length) => {
    taken += length;
    return all.subarray(taken - length, taken);
  };
}

function addLast(to: Float64Array, from: Float64Array | undefined, places: Int32Array): void {
  if (!from) return;
  for (let i = 0; i < places.length; i++) {
    const value = from[i]!;
    if (!Number.isNaN(value)) to[places[i]!] = value;
  }
}

function addSpread({ count, sum, min, max }: Spread, from: Spread | undefined, places: Int32Array): void {
  if (!from) return;
  for (let i = 0; i < places.length; i++) {
    const counted = from.count[i]!;
    if (Number.isNaN(counted)) continue;
    const place = places[i]!;
    count[place]! += counted;
    sum[place]! += from.sum[i]!;
    const low = from.min[i]!;
    const high = from.max[i]!;
    if (low < min[place]!) min[place] = low;
    if (high > max[place]!) max[place] = high;
  }
}
