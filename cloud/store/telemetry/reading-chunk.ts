import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { isCounter } from '#contract/telemetry.ts';
import { ByteReader, ByteWriter } from './columns/bytes.ts';
import { readInstants, writeInstants } from './columns/instants.ts';
import { readNumbers, writeNumbers } from './columns/numbers.ts';
import { byDependence, type Columns } from './columns/relatives.ts';
import {
  firstFrom,
  firstNames,
  maxColumns,
  noReadings,
  type ParsedReadings,
  type Readings,
  type SparseReading,
} from './readings.ts';

type Fields = ReadonlySet<string> | undefined;

// Noise repeats itself by chance, and briefly: to tell where would take more than to tell it again.
const params = { [constants.ZSTD_c_minMatch]: 7 };

/** How much time goes into making them small: readings that are soon encoded again need not be. */
type Effort = 'much' | 'little';

/** Readings, and of those that follow them the counters, which tell what was a glitch at their end. */
export function encodeReadings(readings: Readings, after = noReadings, effort: Effort = 'much'): Uint8Array {
  const to = new ByteWriter();
  writeReadings(to, readings, effort);
  const counters = [...after.fields].filter(([name]) => isCounter(name));
  if (counters.length > 0) writeReadings(to, { at: after.at, fields: new Map(counters) }, effort);
  return zstdCompressSync(to.done(), { params });
}

export const decodeReadings = (body: Uint8Array, only?: Fields): ParsedReadings =>
  readReadings(new ByteReader(zstdDecompressSync(body)), only);

/** How many readings a chunk has, when the first and the last were, and how many values of each field; without decoding these. */
export type ChunkShape = { length: number; first: number; last: number; counts: Map<string, number> };

export function shapeOfChunk(body: Uint8Array, only?: Fields): ChunkShape {
  const { length, at, blocks } = readBlocks(new ByteReader(zstdDecompressSync(body)));
  const counts = new Map<string, number>();
  for (const [name, block] of blocks) {
    if (!only || only.has(name)) counts.set(name, length - new ByteReader(block).integer()); // it begins with the absent ones
  }
  return { length, first: at[0] ?? 0, last: at.at(-1) ?? 0, counts };
}

/**
 * Returns readings from an instant to before another one by one. Takes memory for their values alone, where columns would take
 * it for every field of every reading.
 */
export function decodeSparsely(body: Uint8Array, from: number, to: number, only?: Fields): SparseReading[] {
  const { length, at, blocks } = readBlocks(new ByteReader(zstdDecompressSync(body)));
  const [start, end] = [firstFrom(at, from), firstFrom(at, to)];
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
    const column = columns.get(name)!;
    for (let row = start; row < end; row++) {
      if (!Number.isNaN(column[row]!)) readings[row - start]!.values.set(name, column[row]!);
    }
  }
  return readings;
}

export function decodeWithAfter(body: Uint8Array, only?: Fields): { readings: ParsedReadings; after: Readings } {
  const from = new ByteReader(zstdDecompressSync(body));
  const readings = readReadings(from, only);
  return { readings, after: from.isAtEnd() ? noReadings : readReadings(from, only) };
}

function writeReadings(to: ByteWriter, { at, fields }: Readings, effort: Effort): void {
  to.integer(at.length);
  writeInstants(to, at);
  to.integer(fields.size);
  const before = new Map<string, Float64Array>();
  const values = new ByteWriter();
  for (const name of [...fields.keys()].sort(byDependence)) {
    const column = fields.get(name)!;
    values.clear();
    writeNumbers(values, column, name, before);
    to.string(name);
    to.integer(values.done().length);
    to.block(values.done());
    if (effort === 'much') before.set(name, column); // what is not there foretells nothing
  }
}

function readBlocks(from: ByteReader): { length: number; at: Float64Array; blocks: Map<string, Uint8Array> } {
  const length = from.integer();
  const at = readInstants(from, length);
  const blocks = new Map<string, Uint8Array>();
  for (let left = from.integer(); left > 0; left--) blocks.set(from.string(), from.block(from.integer()));
  return { length, at, blocks };
}

/** Decodes the fields asked for, and those they depend on. */
function readReadings(from: ByteReader, only: Fields): ParsedReadings {
  const { length, at, blocks } = readBlocks(from);
  const decoded = new Map<string, Float64Array>();
  const columns: Columns = {
    get(name) {
      const block = blocks.get(name);
      if (!block || decoded.has(name)) return decoded.get(name);
      const column = readNumbers(new ByteReader(block), length, name, columns);
      decoded.set(name, column);
      return column;
    },
  };
  const names = [...blocks.keys()].filter((name) => !only || only.has(name));
  const asked = firstNames(names, maxColumns(length));
  const fields = new Map(asked.map((name) => [name, columns.get(name)!]));
  return { at, fields, isCut: asked.length < names.length };
}
