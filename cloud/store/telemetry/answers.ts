import { dayMs, hourMs } from '#contract/time.ts';
import { type BucketColumns, bucketColumns } from './bucket-columns.ts';
import type { DecodedSummaries } from './decoded-summaries.ts';
import { readingsOfHour, summariesOfHour } from './hour-chunk.ts';
import { type Level, levelFor, minutesLevel, standInFor } from './levels.ts';
import { hotRowsAtOnce } from './limits.ts';
import { decodeReadings, decodeWithAfter } from './reading-chunk.ts';
import {
  cutReadings,
  mergeReadings,
  type ParsedReadings,
  parseReadings,
  type Readings,
  withinCells,
} from './readings.ts';
import { cutSummaries, type Summaries, summarizeHour, summarizeHours } from './summaries.ts';
import { decodeSummaries } from './summary-chunk.ts';
import { type Chunk, type ReadTables, type ReplayLimits, type Tier, tiers } from './tables.ts';
import type { Sample } from './telemetry-store.ts';
import { windowOf } from './windows.ts';

export type Fields = readonly string[] | undefined;

/** Where buckets are read from. */
export type Shelf = {
  tables: ReadTables;
  /** Hot readings, in order. */
  hotReadings(der: number, from: number, to: number, fields: Fields): Readings | Promise<Readings>;
  decoded: DecodedSummaries;
};

export const setOf = (fields: Fields): ReadonlySet<string> | undefined => fields && new Set(fields);

/** Hot readings that are parsed each time, some at a time. Leaves out fields that would take too much memory. */
export const parsedHot =
  (tables: ReadTables): Shelf['hotReadings'] =>
  async (der, from, to, fields) => {
    const only = setOf(fields);
    let parts: readonly Readings[] = [];
    for (let since = from; ; ) {
      const rows = await tables.hotRows(der, since, to, hotRowsAtOnce);
      parts = withinCells([...parts, parseReadings(rows, only)]);
      if (rows.length < hotRowsAtOnce) return mergeReadings(parts);
      since = rows.at(-1)!.at + 1;
    }
  };

export const readingsOf = ({ tier, body }: Chunk, only?: ReadonlySet<string>): ParsedReadings =>
  tier === tiers.hour ? readingsOfHour(body, only) : decodeReadings(body, only);

/** One bucket for each two edges between which there is something. */
export async function readBuckets(
  { tables, hotReadings, decoded }: Shelf,
  der: number,
  edges: readonly number[],
  fields?: Fields,
): Promise<BucketColumns> {
  const only = setOf(fields);
  const level = levelFor(edges);
  const standIn = standInFor(level, edges);
  const from = edges[0] ?? 0;
  const to = edges.at(-1) ?? 0;
  const firstHour = windowOf(from, hourMs);
  const endHour = windowOf(to - 1, hourMs) + hourMs;

  const asked = await hotReadings(der, firstHour, endHour, fields);
  const after = asked.at.length > 0 ? await tables.hotRows(der, endHour, endHour + hourMs, 2) : [];
  const open = [...new Set(Array.from(asked.at, (at) => windowOf(at, hourMs)))];
  const openDays = [...new Set(open.map((hour) => windowOf(hour, dayMs)))];
  const chunks = await tables.chunks(der, [
    { tier: tiers.hour, from: firstHour, to },
    ...(level === minutesLevel
      ? [
          { tier: tiers.day, from: windowOf(from, dayMs), to },
          { tier: tiers.hourOfDay, from: firstHour, to },
        ]
      : [
          ...openDays.map((day) => ({ tier: tiers.day, from: day, to: day + 1 })),
          ...open.map((hour) => ({ tier: tiers.hourOfDay, from: hour, to: hour + 1 })),
        ]),
    ...[level, ...(standIn ? [standIn] : [])].map(({ tier, spanMs }) => ({ tier, from: windowOf(from, spanMs), to })),
  ]);

  const withReadings = chunks
    .filter(({ tier, start }) => (tier === tiers.day ? openDays : holdsHour(tier) ? open : []).includes(start))
    .map((chunk) => readingsOf(chunk, only));
  const hot = mergeReadings([asked, parseReadings(after, only)]);
  const fresh = open.map((hour) => {
    const sealed = withReadings.map((part) => cutReadings(part, hour, hour + 2 * hourMs));
    const readings = mergeReadings([...sealed, cutReadings(hot, hour, hour + 2 * hourMs)]);
    return summarizeHour(
      cutReadings(readings, hour, hour + hourMs),
      cutReadings(readings, hour + hourMs, hour + 2 * hourMs),
    );
  });
  const which = fields ? JSON.stringify(fields) : 'all';
  const summariesIn = (chunk: Chunk): Summaries => {
    const key = `${der} ${chunk.tier} ${chunk.start} ${level.tier} ${which}`;
    return cutSummaries(
      decoded.of(key, chunk.body, () => summariesOf(chunk, level, only)),
      firstHour,
      endHour,
    );
  };
  const finest = [...withoutHours(chunks.filter(hasSummaries(level)).map(summariesIn), open), ...fresh];
  const hours = standIn
    ? withoutHours(chunks.filter(({ tier }) => tier === standIn.tier).map(summariesIn), hoursOf(finest))
    : [];
  return bucketColumns(
    [...finest, ...hours].map((part) => cutSummaries(part, from, to)),
    edges,
  );
}

const holdsHour = (tier: Tier): boolean => tier === tiers.hour || tier === tiers.hourOfDay;

/** Chunks of days without summaries of their own: their minutes are made from their readings. */
const holdsReadingsAlone = (tier: Tier): boolean => tier === tiers.day || tier === tiers.hourOfDay;

/** Of chunks. The readings of a day have its minutes, which are kept when these are forgotten. */
const hasSummaries =
  (level: Level) =>
  ({ tier }: Chunk): boolean =>
    tier === level.tier || tier === tiers.hour || (holdsReadingsAlone(tier) && level === minutesLevel);

/** The hours in which there is something, in order. */
const hoursOf = (parts: readonly Summaries[]): number[] =>
  [...new Set(parts.flatMap(({ start }) => Array.from(start, (at) => windowOf(at, hourMs))))].sort((a, b) => a - b);

function summariesOf({ tier, body }: Chunk, level: Level, only?: ReadonlySet<string>): Summaries {
  if (tier === tiers.hour) return summariesOfHour(body, level, only);
  if (!holdsReadingsAlone(tier)) return decodeSummaries(body, only);
  const { readings, after } = decodeWithAfter(body, only);
  return summarizeHours(readings, after);
}

/** Summaries but those of these hours (in order), of which there are better ones. */
function withoutHours(sealed: Summaries[], hours: readonly number[]): Summaries[] {
  const begins = [0, ...hours.map((hour) => hour + hourMs)];
  const ends = [...hours, Number.POSITIVE_INFINITY];
  return sealed.flatMap((part) => {
    const last = part.start.at(-1) ?? 0;
    return begins
      .map((begin, i) => ({ begin, end: ends[i]! }))
      .filter(({ begin, end }) => begin < end && begin <= last && end > part.start[0]!)
      .map(({ begin, end }) => cutSummaries(part, begin, end));
  });
}

/** The newest sample of each DER. Of a sealed one it is no longer known when it arrived: when it was measured, say. */
export async function readLatest(tables: ReadTables, ders: readonly number[]): Promise<Sample[]> {
  const hot = await tables.newestHot(ders);
  const latest = new Map(hot.map((sample) => [sample.der, sample]));
  for (const sealed of await tables.newestSealed(ders)) {
    const arrived = latest.get(sealed.der);
    if (arrived && arrived.at > sealed.at) continue;
    latest.set(sealed.der, { ...sealed, received: sealed.at * 1000 });
  }
  return [...latest.values()];
}

// A quarter of an hour of 50 DERs with two readings a second fits.
const maxReplay: ReplayLimits = { samples: 100_000, bytes: 32 * 1024 ** 2 };

/** Samples received after a moment (µs), in that order; undefined when some were sealed since, or there are too many. */
export async function readArrivedAfter(
  tables: ReadTables,
  ders: readonly number[],
  received: number,
  limits = maxReplay,
): Promise<Sample[] | undefined> {
  const samples = await tables.hotAfter(ders, received, limits);
  if (!samples || received < (await tables.state('replayable_after'))) return undefined;
  return samples.sort((a, b) => a.received - b.received);
}
