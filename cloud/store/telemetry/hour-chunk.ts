import { ByteReader, ByteWriter } from './columns/bytes.ts';
import { type Level, sealedLevels } from './levels.ts';
import {
  type ChunkShape,
  decodeReadings,
  decodeSparsely,
  decodeWithAfter,
  encodeReadings,
  shapeOfChunk,
} from './reading-chunk.ts';
import type { ParsedReadings, Readings, SparseReading } from './readings.ts';
import { type Summaries, summarizeHour, widenWindows } from './summaries.ts';
import { decodeSummaries, encodeSummaries } from './summary-chunk.ts';

type Fields = ReadonlySet<string> | undefined;

/** An hour that is waiting for the rest of its day: its readings, and their summaries at each level but minutes. */
export function encodeHour(readings: Readings, after: Readings): Uint8Array {
  const minutes = summarizeHour(readings, after);
  const summaries = sealedLevels.map(({ windowMs }) => encodeSummaries(widenWindows(minutes, windowMs)));
  const to = new ByteWriter();
  for (const part of [encodeReadings(readings, after, 'little'), ...summaries]) {
    to.integer(part.length);
    to.block(part);
  }
  return to.done();
}

export const readingsOfHour = (body: Uint8Array, only?: Fields): ParsedReadings =>
  decodeReadings(partOf(body, 0), only);

export const shapeOfHour = (body: Uint8Array, only?: Fields): ChunkShape => shapeOfChunk(partOf(body, 0), only);

export const sparseReadingsOfHour = (body: Uint8Array, from: number, to: number, only?: Fields): SparseReading[] =>
  decodeSparsely(partOf(body, 0), from, to, only);

export const hourWithAfter = (body: Uint8Array, only?: Fields): { readings: ParsedReadings; after: Readings } =>
  decodeWithAfter(partOf(body, 0), only);

/** Its minutes are made from its readings. */
export function summariesOfHour(body: Uint8Array, level: Level, only?: Fields): Summaries {
  const sealed = sealedLevels.indexOf(level);
  if (sealed >= 0) return decodeSummaries(partOf(body, 1 + sealed), only);
  const { readings, after } = hourWithAfter(body, only);
  return summarizeHour(readings, after);
}

function partOf(body: Uint8Array, index: number): Uint8Array {
  const from = new ByteReader(body);
  for (let skipped = 0; skipped < index; skipped++) from.skip(from.integer());
  return from.block(from.integer());
}
