import { maxRawBytes, maxRawReadings, maxRawValues } from '#contract/cloud/telemetry.ts';
import { dayMs, hourMs } from '#contract/time.ts';
import { decodeSetAside, decodeSparsely, readingsBody, shapeOfChunk } from './codec/reading-chunk.ts';
import { windowStart } from './levels.ts';
import {
  dropExcessColumns,
  type HotRow,
  hotRowsAtOnce,
  maxChunkBytes,
  maxColumns,
  maxDayCells,
  maxEarlyMs,
  mergeReadings,
  parseNumbers,
  parseReadings,
  type Readings,
  type SparseReading,
  sliceReadings,
  toSparse,
} from './readings.ts';
import { type Chunk, type ChunkRange, type ReadTables, tiers } from './tables.ts';
import { type Fields, type TelemetryReader, toSet } from './telemetry-reader.ts';
import { AnswerTooLarge, type PointsFormat, type ReadingColumns } from './telemetry-store.ts';

const setAsideRatio = 10; // bytes of text per compressed byte, about

type Only = ReadonlySet<string> | undefined;

type RawReader = Pick<TelemetryReader, 'tables' | 'lastChunk'>;

/** The readings of a range up to `end`: in columns, or one by one where columns would take too much memory. */
export type RawPart = { end: number; readings: Readings | SparseReading[] };

/** Reads the readings in [from, to), sealed or not, in parts of bounded memory. A part lies within one UTC day, unless it is empty. */
export async function* rawParts(
  reader: RawReader,
  der: number,
  from: number,
  to: number,
  fields: Fields,
): AsyncGenerator<RawPart> {
  const only = toSet(fields);
  for (let start = from; start < to; ) {
    const part = await readPart(reader.tables, der, start, to, only);
    yield { end: part.end, readings: readingsOfPart(reader, part, start, only) };
    start = part.end;
  }
}

/** Reads the first part of the readings in [from, to). Copies them, because decoded chunks are cached. */
export async function readColumns(
  reader: RawReader,
  der: number,
  from: number,
  to: number,
  fields: readonly string[],
): Promise<ReadingColumns> {
  for await (const { readings, end } of rawParts(reader, der, from, to, fields)) {
    const length = Array.isArray(readings) ? readings.length : readings.at.length;
    const all = new Float64Array(length * (1 + fields.length));
    const column = (i: number): Float64Array<ArrayBuffer> => all.subarray(i * length, (i + 1) * length);
    const columns = new Map(fields.map((name, i) => [name, column(i + 1)]));
    if (Array.isArray(readings)) {
      column(0).set(readings.map(({ at }) => at));
      for (const [name, values] of columns) values.set(readings.map((one) => one.values.get(name) ?? Number.NaN));
    } else {
      column(0).set(readings.at);
      for (const [name, values] of columns) {
        const found = readings.fields.get(name);
        if (found) values.set(found);
        else values.fill(Number.NaN);
      }
    }
    return { at: column(0), fields: columns, end };
  }
  return { at: new Float64Array(), fields: new Map(), end: to };
}

type Part = { hot: readonly HotRow[]; chunks: readonly Chunk[]; end: number };

function readingsOfPart(
  reader: RawReader,
  { hot, chunks, end }: Part,
  start: number,
  only: Only,
): Readings | SparseReading[] {
  const fresh = hot.filter(({ at }) => at < end);
  const isAside = ({ tier }: Chunk): number => (tier === tiers.setAside ? 0 : 1);
  const inOrder = chunks.toSorted((one, other) => isAside(one) - isAside(other)); // the first reading of an instant counts
  return mergeParts([
    ...inOrder.map((chunk) => readingsIn(reader, chunk, start, end, only)),
    readingsAmong(fresh, only),
  ]);
}

/** Reads hot rows before chunks: a row that is sealed in between is then seen twice instead of not at all. */
async function readPart(tables: ReadTables, der: number, start: number, to: number, only: Only): Promise<Part> {
  let end = Math.min(to, windowStart(start, dayMs) + dayMs);
  const hot = await tables.hotRows(der, start, end, hotRowsAtOnce);
  const last = hot.at(-1);
  if (last && hot.length === hotRowsAtOnce) end = last.at + 1;
  const sizes = await tables.chunkSizes(der, rangesOf(start, end));
  if (sizes.length === 0) return { hot, chunks: [], end: hot.length > 0 ? end : await endOfGap(tables, der, end, to) };
  end = endWithin(sizes, start, end, maxChunkBytes, ({ tier, bytes }) =>
    tier === tiers.setAside ? bytes * setAsideRatio : bytes,
  );
  const chunks = await tables.chunks(der, rangesOf(start, end));
  if (chunks.length === 1) return { hot, chunks, end };
  end = endWithin(chunks, start, end, maxDayCells, (chunk) => {
    if (chunk.tier === tiers.setAside) return 0;
    const { length, counts } = shapeOfChunk(readingsBody(chunk), only);
    return counts.size <= maxColumns(length) ? length * counts.size : 0;
  });
  return { hot, chunks: chunks.filter((chunk) => chunk.start < end), end };
}

const firstGapDays = 16;
const gapGrowth = 8;

/** Returns the start of the day with the next reading: looks further ahead each time, so that empty years take a few queries. */
async function endOfGap(tables: ReadTables, der: number, from: number, to: number): Promise<number> {
  let end = from;
  for (let days = firstGapDays; end < to; days *= gapGrowth) {
    const until = Math.min(to, end + days * dayMs);
    const [hot] = await tables.hotRows(der, end, until, 1);
    const chunks = await tables.chunkSizes(der, rangesOf(end, until));
    const first = Math.min(...chunks.map(({ start }) => start), hot?.at ?? Number.POSITIVE_INFINITY);
    if (Number.isFinite(first)) return Math.max(end, windowStart(first, dayMs));
    end = until;
  }
  return end;
}

function rangesOf(start: number, end: number): ChunkRange[] {
  const hour = windowStart(start, hourMs);
  return [
    { tier: tiers.day, from: windowStart(start, dayMs), to: end },
    { tier: tiers.hour, from: hour, to: end },
    { tier: tiers.hourOfDay, from: hour, to: end },
    { tier: tiers.setAside, from: hour - maxEarlyMs, to: end },
  ];
}

/** Returns where a part has to end so that its chunks measure no more than the limit; it always includes the first chunk. */
function endWithin<C extends { start: number }>(
  chunks: readonly C[],
  start: number,
  end: number,
  limit: number,
  measure: (chunk: C) => number,
): number {
  let sum = 0;
  for (const chunk of chunks.toSorted((one, other) => one.start - other.start)) {
    sum += measure(chunk);
    if (sum > limit && chunk.start > start && chunk.start < end) return chunk.start;
  }
  return end;
}

function readingsIn(
  reader: RawReader,
  chunk: Chunk,
  start: number,
  end: number,
  only: Only,
): Readings | SparseReading[] {
  if (chunk.tier === tiers.setAside) {
    return readingsAmong(
      decodeSetAside(chunk.body).filter(({ at }) => at >= start && at < end),
      only,
    );
  }
  const readings = reader.lastChunk.get(chunk, only);
  return readings.isCut ? decodeSparsely(readingsBody(chunk), start, end, only) : sliceReadings(readings, start, end);
}

/** Returns columns when all fields fit, else single readings. */
function readingsAmong(rows: readonly Pick<HotRow, 'at' | 'body'>[], only: Only): Readings | SparseReading[] {
  const readings = parseReadings(rows, only, { ifCut: 'stop' });
  return readings.isCut ? rows.map(({ at, body }) => ({ at, values: parseNumbers(body, only) })) : readings;
}

function mergeParts(parts: readonly (Readings | SparseReading[])[]): Readings | SparseReading[] {
  const columns = parts.filter((part): part is Readings => !Array.isArray(part));
  if (columns.length === parts.length && dropExcessColumns(columns) === columns) return mergeReadings(columns);
  const all = parts.flatMap((part) => (Array.isArray(part) ? part : toSparse(part)));
  all.sort((one, other) => one.at - other.at); // stable: the first reading of an instant stays first
  return all.filter(({ at }, i) => all[i - 1]?.at !== at);
}

/** The size of a raw answer, and the columns of a CSV. */
export type RawSize = { readings: number; values: number; bytes: number; names: string[] };

const numberBytes = 12; // average length of a value with punctuation
const timeBytes = 28;

/** Measures the readings of a range without keeping them. Throws AnswerTooLarge when one answer cannot hold them. */
export async function measureRaw(
  reader: RawReader,
  der: number,
  { from, to }: { from: number; to: number },
  fields: Fields,
  format: PointsFormat,
): Promise<RawSize> {
  const only = toSet(fields);
  const names = new Set<string>();
  const size = { readings: 0, values: 0, bytes: 0 };
  const count = (name: string, values: number): void => {
    if (values === 0) return;
    if (format === 'csv') names.add(name);
    size.values += values;
    size.bytes += values * (name.length + numberBytes);
  };
  for (let start = from; start < to; ) {
    const part = await readPart(reader.tables, der, start, to, only);
    const readings = countPart(reader, part, start, only, count);
    start = part.end;
    size.readings += readings;
    size.bytes += readings * timeBytes;
    if (size.readings > maxRawReadings) throw new AnswerTooLarge('too_many_readings');
    const cells = names.size * size.readings; // empty cells of CSV count too
    if (Math.max(size.values, cells) > maxRawValues) throw new AnswerTooLarge('too_many_values');
    if (size.bytes > maxRawBytes) throw new AnswerTooLarge('too_many_bytes');
  }
  return { ...size, names: [...names].sort() };
}

type Count = (name: string, values: number) => void;

/** Counts readings and values. Decodes columns only when several chunks, or a part of one, have to be merged. */
function countPart(reader: RawReader, part: Part, start: number, only: Only, count: Count): number {
  const [chunk, ...others] = part.chunks;
  if (chunk && chunk.tier !== tiers.setAside && others.length === 0 && part.hot.length === 0) {
    const { length, first, last, counts } = shapeOfChunk(readingsBody(chunk), only);
    if (first >= start && last < part.end) {
      for (const [name, values] of counts) count(name, values);
      return length;
    }
  }
  const readings = readingsOfPart(reader, part, start, only);
  if (Array.isArray(readings)) {
    for (const { values } of readings) for (const name of values.keys()) count(name, 1);
    return readings.length;
  }
  for (const [name, column] of readings.fields) {
    let values = 0;
    for (const value of column) if (!Number.isNaN(value)) values++;
    count(name, values);
  }
  return readings.at.length;
}
