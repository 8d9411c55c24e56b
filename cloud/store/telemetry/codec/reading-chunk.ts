import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { isCounter } from '#contract/telemetry.ts';
import {
  emptyReadings,
  type HotRow,
  limitNames,
  lowerBound,
  maxColumns,
  type ParsedReadings,
  type Readings,
  type SparseReading,
} from '../readings.ts';
import { type Chunk, type Tier, tiers } from '../tables.ts';
import { ByteReader, ByteWriter } from './bytes.ts';
import { readInstants, writeInstants } from './integers.ts';
import { readNumbers, writeNumbers } from './numbers.ts';
import { byDependence, type Columns } from './prediction.ts';

type Fields = ReadonlySet<string> | undefined;

// Short matches in noise are accidental: a reference to them takes more bytes than the literal.
const params = { [constants.ZSTD_c_minMatch]: 7 };

/** Columns are predicted from one another only with `much` effort; hours are soon encoded again as part of their day. */
type Effort = 'much' | 'little';

/**
 * Encodes readings, and the counters of the readings that follow them, which show whether a drop at the end was a glitch.
 * The format is described in docs/telemetry-format.md.
 */
export function encodeReadings(readings: Readings, after = emptyReadings, effort: Effort = 'much'): Uint8Array {
  const to = new ByteWriter();
  writeReadings(to, readings, effort);
  const counters = [...after.fields].filter(([name]) => isCounter(name));
  if (counters.length > 0) writeReadings(to, { at: after.at, fields: new Map(counters) }, effort);
  return zstdCompressSync(to.done(), { params });
}

export const decodeReadings = (body: Uint8Array, only?: Fields): ParsedReadings =>
  readReadings(new ByteReader(zstdDecompressSync(body)), only);

/** The size of a chunk and the number of values of each field, which are known without decoding the columns. */
export type ChunkShape = { length: number; first: number; last: number; counts: Map<string, number> };

export function shapeOfChunk(body: Uint8Array, only?: Fields): ChunkShape {
  const { length, at, blocks } = readBlocks(new ByteReader(zstdDecompressSync(body)));
  const counts = new Map<string, number>();
  for (const [name, block] of blocks) {
    if (!only || only.has(name)) counts.set(name, length - new ByteReader(block).integer()); // a column begins with the number of absent values
  }
  return { length, first: at[0] ?? 0, last: at.at(-1) ?? 0, counts };
}

/** Decodes the readings of a time range one by one. Needs memory only for present values, unlike columns. */
export function decodeSparsely(body: Uint8Array, from: number, to: number, only?: Fields): SparseReading[] {
  const { length, at, blocks } = readBlocks(new ByteReader(zstdDecompressSync(body)));
  const [start, end] = [lowerBound(at, from), lowerBound(at, to)];
  const readings = Array.from(
    at.subarray(start, end),
    (instant): SparseReading => ({ at: instant, values: new Map() }),
  );
  const columns: Columns = {
    get(name) {
      const block = blocks.get(name);
      return block && readNumbers(new ByteReader(block), length, name, columns);
    },
  };
  for (const name of blocks.keys()) {
    if (only && !only.has(name)) continue;
    const column = columns.get(name)?.subarray(start, end) ?? [];
    for (const [row, value] of column.entries()) if (!Number.isNaN(value)) readings[row]?.values.set(name, value);
  }
  return readings;
}

export function decodeWithAfter(body: Uint8Array, only?: Fields): { readings: ParsedReadings; after: Readings } {
  const from = new ByteReader(zstdDecompressSync(body));
  const readings = readReadings(from, only);
  return { readings, after: from.isAtEnd() ? emptyReadings : readReadings(from, only) };
}

function writeReadings(to: ByteWriter, { at, fields }: Readings, effort: Effort): void {
  let last = Number.NEGATIVE_INFINITY;
  for (const instant of at) {
    if (instant <= last) throw new RangeError('Readings must be in order.');
    last = instant;
  }
  to.integer(at.length);
  writeInstants(to, at);
  to.integer(fields.size);
  const before = new Map<string, Float64Array>();
  const values = new ByteWriter();
  for (const [name, column] of [...fields].sort(([a], [b]) => byDependence(a, b))) {
    if (column.length !== at.length)
      throw new RangeError(`The column ${name} has ${column.length} of ${at.length} values.`);
    values.clear();
    writeNumbers(values, column, name, before);
    to.string(name);
    to.integer(values.done().length);
    to.block(values.done());
    if (effort === 'much') before.set(name, column);
  }
}

function readBlocks(from: ByteReader): { length: number; at: Float64Array; blocks: Map<string, Uint8Array> } {
  const length = from.integer();
  const at = readInstants(from, length);
  const blocks = new Map<string, Uint8Array>();
  for (let left = from.integer(); left > 0; left--) blocks.set(from.string(), from.block(from.integer()));
  return { length, at, blocks };
}

/** Returns whether chunks of a tier hold readings without rollups. */
export const holdsOnlyReadings = (tier: Tier): boolean => tier === tiers.day || tier === tiers.hourOfDay;

/** Returns the encoded readings of a chunk. */
export const readingsBody = ({ tier, body }: Chunk): Uint8Array => (tier === tiers.hour ? partOfHour(body, 0) : body);

/** Returns a part of an hour: its readings, or its rollups at a level. */
export function partOfHour(body: Uint8Array, index: number): Uint8Array {
  const from = new ByteReader(body);
  for (let skipped = 0; skipped < index; skipped++) from.skip(from.integer());
  return from.block(from.integer());
}

type Row = Pick<HotRow, 'at' | 'body'>;

/** Encodes readings as JSON, for hours with too many fields for columns. */
export function encodeSetAside(rows: readonly Row[]): Uint8Array {
  const to = new ByteWriter();
  to.integer(rows.length);
  for (const { at, body } of rows) {
    to.integer(at);
    to.string(body);
  }
  return zstdCompressSync(to.done());
}

export function decodeSetAside(body: Uint8Array): Row[] {
  const from = new ByteReader(zstdDecompressSync(body));
  return Array.from({ length: from.integer() }, () => ({ at: from.integer(), body: from.string() }));
}

/** Decodes the requested fields, and those they are predicted from. */
function readReadings(from: ByteReader, only: Fields): ParsedReadings {
  const { length, at, blocks } = readBlocks(from);
  const decoded = new Map<string, Float64Array>();
  const columns: Columns = {
    get(name) {
      const block = blocks.get(name);
      if (!block || decoded.has(name)) return decoded.get(name);
      const reader = new ByteReader(block);
      const column = readNumbers(reader, length, name, columns);
      if (!reader.isAtEnd()) throw new RangeError(`The column ${name} is followed by unknown data.`);
      decoded.set(name, column);
      return column;
    },
  };
  const names = [...blocks.keys()].filter((name) => !only || only.has(name));
  const selected = limitNames(names, maxColumns(length));
  const fields = new Map<string, Float64Array>();
  for (const name of selected) {
    const column = columns.get(name);
    if (column) fields.set(name, column);
  }
  return { at, fields, isCut: selected.length < names.length };
}
