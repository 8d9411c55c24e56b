import { ByteReader, ByteWriter } from './columns/bytes.ts';
import { type Level, levels } from './levels.ts';
import { decodeReadings, encodeReadings } from './reading-chunk.ts';
import type { Readings } from './readings.ts';
import { type Summaries, summarizeHour, widenWindows } from './summaries.ts';
import { decodeSummaries, encodeSummaries } from './summary-chunk.ts';

type Fields = ReadonlySet<string> | undefined;

/** An hour that is waiting for the rest of its day: its readings, and their summaries at each level. */
export function encodeHour(readings: Readings, after: Readings): Uint8Array {
  const minutes = summarizeHour(readings, after);
  const summaries = levels.map(({ windowMs }) => encodeSummaries(widenWindows(minutes, windowMs)));
  const to = new ByteWriter();
  for (const part of [encodeReadings(readings), ...summaries]) {
    to.integer(part.length);
    to.block(part);
  }
  return to.done();
}

export const readingsOfHour = (body: Uint8Array, only?: Fields): Readings => decodeReadings(partOf(body, 0), only);

export const summariesOfHour = (body: Uint8Array, level: Level, only?: Fields): Summaries =>
  decodeSummaries(partOf(body, 1 + levels.indexOf(level)), only);

function partOf(body: Uint8Array, index: number): Uint8Array {
  const from = new ByteReader(body);
  for (let skipped = 0; skipped < index; skipped++) from.block(from.integer());
  return from.block(from.integer());
}
