import { ByteReader, ByteWriter } from './columns/bytes.ts';
import { decodeReadings, encodeReadings } from './reading-chunk.ts';
import type { Readings } from './readings.ts';
import { type Summaries, summarizeHour, widenWindows } from './summaries.ts';
import { decodeSummaries, encodeSummaries } from './summary-chunk.ts';
import { hourMs } from './windows.ts';

type Fields = ReadonlySet<string> | undefined;

/** An hour that is waiting for the rest of its day: its readings, its minutes and itself as one summary. */
export function encodeHour(readings: Readings, after: Readings): Uint8Array {
  const minutes = summarizeHour(readings, after);
  const to = new ByteWriter();
  for (const part of [
    encodeReadings(readings),
    encodeSummaries(minutes),
    encodeSummaries(widenWindows(minutes, hourMs)),
  ]) {
    to.integer(part.length);
    to.block(part);
  }
  return to.done();
}

export const readingsOfHour = (body: Uint8Array, only?: Fields): Readings => decodeReadings(partOf(body, 0), only);

export const minutesOfHour = (body: Uint8Array, only?: Fields): Summaries => decodeSummaries(partOf(body, 1), only);

export const summaryOfHour = (body: Uint8Array, only?: Fields): Summaries => decodeSummaries(partOf(body, 2), only);

function partOf(body: Uint8Array, index: number): Uint8Array {
  const from = new ByteReader(body);
  for (let skipped = 0; skipped < index; skipped++) from.block(from.integer());
  return from.block(from.integer());
}
