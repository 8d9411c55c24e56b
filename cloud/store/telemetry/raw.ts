import { maxRawBytes, maxRawReadings, maxRawValues } from '#contract/cloud/telemetry.ts';
import { dayMs, hourMs } from '#contract/time.ts';
import { type Fields, readingsOf, setOf } from './answers.ts';
import { TooMuch } from './faults.ts';
import { shapeOfHour, sparseReadingsOfHour } from './hour-chunk.ts';
import { hotRowsAtOnce, maxChunkBytes, maxDayCells } from './limits.ts';
import { type ChunkShape, decodeSparsely, shapeOfChunk } from './reading-chunk.ts';
import {
  cutReadings,
  type HotRow,
  maxColumns,
  mergeReadings,
  numbersOf,
  type ParsedReadings,
  parseReadings,
  type Readings,
  type SparseReading,
} from './readings.ts';
import { fromSparse, toReadings, toSparse } from './results.ts';
import { maxEarlyMs, rowsSetAside } from './set-aside.ts';
import { type Chunk, type ReadTables, type Span, tiers } from './tables.ts';
import type { PointsFormat, Reading } from './telemetry-store.ts';
import { windowOf } from './windows.ts';

const textOfSetAside = 10; // bytes of text in a compressed byte, about

type Only = ReadonlySet<string> | undefined;

/** The readings of a part of a range up to `end`: in columns, or one by one where columns would take too much memory. */
export type RawPart = { end: number; readings: Readings | SparseReading[] };

/**
 * Reads readings from an instant to before another, sealed or not, in parts that take a bounded amount of memory. A part lies
 * within a day: nothing moves from one day to another.
 */
export async function* rawParts(
  tables: ReadTables,
  der: number,
  from: number,
  to: number,
  fields: Fields,
): AsyncGenerator<RawPart> {
  const only = setOf(fields);
  for (let start = from; start < to; ) {
    const part = await readPart(tables, der, start, to, only);
    yield { end: part.end, readings: readingsOfPart(part, start, only) };
    start = part.end;
  }
}

type Part = { hot: readonly HotRow[]; chunks: readonly Chunk[]; end: number };

function readingsOfPart({ hot, chunks, end }: Part, start: number, only: Only): Readings | SparseReading[] {
  const fresh = hot.filter(({ at }) => at < end);
  const isAside = ({ tier }: Chunk): number => (tier === tiers.setAside ? 0 : 1);
  const inOrder = chunks.toSorted((one, other) => isAside(one) - isAside(other)); // what arrived first comes first
  return mergeParts([...inOrder.map((chunk) => readingsIn(chunk, start, end, only)), readingsAmong(fresh, only)]);
}

/** Reads hot rows before chunks: a row that is sealed meanwhile is then seen twice instead of not at all. */
async function readPart(tables: ReadTables, der: number, start: number, to: number, only: Only): Promise<Part> {
  let end = Math.min(to, windowOf(start, dayMs) + dayMs);
  const hot = await tables.hotRows(der, start, end, hotRowsAtOnce);
  if (hot.length === hotRowsAtOnce) end = hot.at(-1)!.at + 1;
  const sizes = await tables.chunkSizes(der, spansOf(start, end));
  if (sizes.length === 0) return { hot, chunks: [], end };
  end = firstTooMany(sizes, start, end, maxChunkBytes, ({ tier, bytes }) =>
    tier === tiers.setAside ? bytes * textOfSetAside : bytes,
  );
  const chunks = await tables.chunks(der, spansOf(start, end));
  if (chunks.length === 1) return { hot, chunks, end };
  end = firstTooMany(chunks, start, end, maxDayCells, (chunk) => {
    if (chunk.tier === tiers.setAside) return 0;
    const { length, counts } = shapeIn(chunk, only);
    return counts.size <= maxColumns(length) ? length * counts.size : 0;
  });
  return { hot, chunks: chunks.filter((chunk) => chunk.start < end), end };
}

function spansOf(start: number, end: number): Span[] {
  const hour = windowOf(start, hourMs);
  return [
    { tier: tiers.day, from: windowOf(start, dayMs), to: end },
    { tier: tiers.hour, from: hour, to: end },
    { tier: tiers.hourOfDay, from: hour, to: end },
    { tier: tiers.setAside, from: hour - maxEarlyMs, to: end },
  ];
}

/** Returns where a part has to end so that the chunks in it measure no more than the limit. It always has the first chunk. */
function firstTooMany<C extends { start: number }>(
  chunks: readonly C[],
  start: number,
  end: number,
  most: number,
  measure: (chunk: C) => number,
): number {
  let sum = 0;
  for (const chunk of chunks.toSorted((one, other) => one.start - other.start)) {
    sum += measure(chunk);
    if (sum > most && chunk.start > start && chunk.start < end) return chunk.start;
  }
  return end;
}

const shapeIn = ({ tier, body }: Chunk, only: Only): ChunkShape =>
  tier === tiers.hour ? shapeOfHour(body, only) : shapeOfChunk(body, only);

type Decoded = { body: Uint8Array; fields: string; readings: ParsedReadings };

const keptDecodedMs = 2000;
let lastDecoded: Decoded | undefined;
let forgetting: NodeJS.Timeout | undefined;

/** The chunk that was decoded last is kept for a moment: a day is sent in several parts. */
function decodeOnce(chunk: Chunk, only: Only): ParsedReadings {
  const fields = only ? JSON.stringify([...only]) : 'all';
  const isSame = lastDecoded?.fields === fields && Buffer.compare(lastDecoded.body, chunk.body) === 0;
  if (!lastDecoded || !isSame) lastDecoded = { body: chunk.body, fields, readings: readingsOf(chunk, only) };
  forgetting ??= setTimeout(() => {
    lastDecoded = forgetting = undefined;
  }, keptDecodedMs).unref();
  return lastDecoded.readings;
}

function readingsIn(chunk: Chunk, start: number, end: number, only: Only): Readings | SparseReading[] {
  const { tier, body } = chunk;
  if (tier === tiers.setAside) {
    return readingsAmong(
      rowsSetAside(body).filter(({ at }) => at >= start && at < end),
      only,
    );
  }
  const readings = decodeOnce(chunk, only);
  if (!readings.isCut) return cutReadings(readings, start, end);
  return tier === tiers.hour ? sparseReadingsOfHour(body, start, end, only) : decodeSparsely(body, start, end, only);
}

/** In columns, when all fields have a place there. */
function readingsAmong(rows: readonly Pick<HotRow, 'at' | 'body'>[], only: Only): Readings | SparseReading[] {
  const readings = parseReadings(rows, only, { ifCut: 'stop' });
  return readings.isCut ? rows.map(({ at, body }) => ({ at, values: numbersOf(body, only) })) : readings;
}

function mergeParts(parts: readonly (Readings | SparseReading[])[]): Readings | SparseReading[] {
  const columns = parts.filter((part): part is Readings => !Array.isArray(part));
  const rows = columns.reduce((sum, { at }) => sum + at.length, 0);
  const names = new Set(columns.flatMap(({ fields }) => [...fields.keys()]));
  if (columns.length === parts.length && names.size <= maxColumns(rows)) return mergeReadings(columns);
  const all = parts.flatMap((part) => (Array.isArray(part) ? part : toSparse(part)));
  all.sort((one, other) => one.at - other.at); // stable: of one instant the first stays before others
  return all.filter(({ at }, i) => i === 0 || all[i - 1]!.at !== at);
}

/** The size of a raw answer, and the names of its columns when it is CSV. */
export type RawSize = { readings: number; values: number; bytes: number; names: string[] };

const numberBytes = 12; // of a value in an answer, with its punctuation, on average
const timeBytes = 28;

/** Measures the readings of a range without keeping them; throws TooMuch as soon as they are more than one answer may hold. */
export async function measureRaw(
  tables: ReadTables,
  der: number,
  { from, to }: { from: number; to: number },
  fields: Fields,
  format: PointsFormat,
): Promise<RawSize> {
  const only = setOf(fields);
  const names = new Set<string>();
  const size = { readings: 0, values: 0, bytes: 0 };
  const count = (name: string, values: number): void => {
    if (values === 0) return;
    if (format === 'csv') names.add(name);
    size.values += values;
    size.bytes += values * (name.length + numberBytes);
  };
  for (let start = from; start < to; ) {
    const part = await readPart(tables, der, start, to, only);
    const readings = countPart(part, start, only, count);
    start = part.end;
    size.readings += readings;
    size.bytes += readings * timeBytes;
    if (size.readings > maxRawReadings) throw new TooMuch('too_many_readings');
    const cells = names.size * size.readings; // empty cells of CSV take room, too
    if (Math.max(size.values, cells) > maxRawValues) throw new TooMuch('too_many_values');
    if (size.bytes > maxRawBytes) throw new TooMuch('too_many_bytes');
  }
  return { ...size, names: [...names].sort() };
}

type Count = (name: string, values: number) => void;

/** Looks into the readings only where several chunks, or a part of one, have to be put together. */
function countPart(part: Part, start: number, only: Only, count: Count): number {
  const [chunk, ...others] = part.chunks;
  if (chunk && chunk.tier !== tiers.setAside && others.length === 0 && part.hot.length === 0) {
    const { length, first, last, counts } = shapeIn(chunk, only);
    if (first >= start && last < part.end) {
      for (const [name, values] of counts) count(name, values);
      return length;
    }
  }
  const readings = readingsOfPart(part, start, only);
  if (Array.isArray(readings)) {
    for (const { values } of readings) for (const name of values.keys()) count(name, 1);
    return readings.length;
  }
  for (const [name, column] of readings.fields) {
    let values = 0;
    for (let row = 0; row < column.length; row++) if (!Number.isNaN(column[row]!)) values++;
    count(name, values);
  }
  return readings.at.length;
}

/** All readings of a range one by one, no more than one answer may hold. */
export async function readRaw(
  tables: ReadTables,
  der: number,
  from: number,
  to: number,
  fields?: Fields,
): Promise<Reading[]> {
  const all: Reading[] = [];
  for await (const { readings } of rawParts(tables, der, from, to, fields)) {
    for (const reading of Array.isArray(readings) ? readings.map(fromSparse) : toReadings(readings)) all.push(reading);
    if (all.length > maxRawReadings) throw new TooMuch('too_many_readings');
  }
  return all;
}
