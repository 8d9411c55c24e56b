import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { ByteReader, ByteWriter } from './codec/bytes.ts';
import {
  type ChunkShape,
  decodeReadings,
  decodeSparsely,
  decodeWithAfter,
  encodeReadings,
  shapeOfChunk,
} from './codec/reading-chunk.ts';
import { decodeSummaries, encodeSummaries } from './codec/summary-chunk.ts';
import { minuteRollups, type RollupLevel, sealedRollups } from './levels.ts';
import type { HotRow, ParsedReadings, Readings, SparseReading } from './readings.ts';
import { rollUp, type Summaries, summarizeHour, summarizeHours } from './summaries.ts';
import { type Chunk, type Tier, tiers } from './tables.ts';

// docs/telemetry-format.md describes the bytes of each tier.

type Only = ReadonlySet<string> | undefined;

/** Encodes an hour whose day is not over: its readings, and their rollups at each level but minutes. */
export function encodeHour(readings: Readings, after: Readings): Uint8Array {
  const minutes = summarizeHour(readings, after);
  const rollups = sealedRollups.map(({ windowMs }) => encodeSummaries(rollUp(minutes, windowMs)));
  const to = new ByteWriter();
  for (const part of [encodeReadings(readings, after, 'little'), ...rollups]) {
    to.integer(part.length);
    to.block(part);
  }
  return to.done();
}

function partOfHour(body: Uint8Array, index: number): Uint8Array {
  const from = new ByteReader(body);
  for (let skipped = 0; skipped < index; skipped++) from.skip(from.integer());
  return from.block(from.integer());
}

const readingsBody = ({ tier, body }: Chunk): Uint8Array => (tier === tiers.hour ? partOfHour(body, 0) : body);

export const decodeChunk = (chunk: Chunk, only?: Only): ParsedReadings => decodeReadings(readingsBody(chunk), only);

export const shapeOf = (chunk: Chunk, only?: Only): ChunkShape => shapeOfChunk(readingsBody(chunk), only);

export const decodeChunkSparsely = (chunk: Chunk, from: number, to: number, only?: Only): SparseReading[] =>
  decodeSparsely(readingsBody(chunk), from, to, only);

export const decodeChunkWithAfter = (chunk: Chunk, only?: Only): { readings: ParsedReadings; after: Readings } =>
  decodeWithAfter(readingsBody(chunk), only);

/** Returns whether chunks of a tier hold readings without rollups. */
export const holdsOnlyReadings = (tier: Tier): boolean => tier === tiers.day || tier === tiers.hourOfDay;

/** Returns the rollups of a chunk. Minutes are computed from its readings. */
export function decodeRollups(chunk: Chunk, level: RollupLevel, only?: Only): Summaries {
  if (chunk.tier === tiers.hour && level !== minuteRollups) {
    return decodeSummaries(partOfHour(chunk.body, 1 + sealedRollups.indexOf(level)), only);
  }
  if (chunk.tier !== tiers.hour && !holdsOnlyReadings(chunk.tier)) return decodeSummaries(chunk.body, only);
  const { readings, after } = decodeChunkWithAfter(chunk, only);
  return summarizeHours(readings, after);
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
