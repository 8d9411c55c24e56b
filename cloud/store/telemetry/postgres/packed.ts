import { hourMs } from '#contract/time.ts';
import { windowStart } from '../levels.ts';
import type { Sample } from '../telemetry-store.ts';

// A packed sample: DER, time of measurement (ms), time of arrival (µs) and the number of bytes of its JSON, then the JSON.
// All numbers are big-endian; the first three are IEEE 754 doubles. docs/telemetry-format.md describes it.
const headBytes = 28;

/** Returns the bytes that a sample takes. */
export const packedBytes = ({ body }: Sample): number => headBytes + Buffer.byteLength(body);

/** Writes a sample and returns where the next one begins. */
export function writePacked(to: Buffer, place: number, { der, at, received, body }: Sample): number {
  to.writeDoubleBE(der, place);
  to.writeDoubleBE(at, place + 8);
  to.writeDoubleBE(received, place + 16);
  const bytes = to.write(body, place + headBytes);
  to.writeUInt32BE(bytes, place + 24);
  return place + headBytes + bytes;
}

/** A packed sample within the row that it was read from. */
type PackedSample = { der: number; at: number; received: number; bytes: Buffer };

function* packedSamples(rows: readonly Buffer[]): Generator<PackedSample> {
  for (const row of rows) {
    for (let place = 0; place < row.length; ) {
      const end = place + headBytes + row.readUInt32BE(place + 24);
      if (end > row.length) throw new Error('A row of packed samples is damaged.');
      const [der, at, received] = [row.readDoubleBE(place), row.readDoubleBE(place + 8), row.readDoubleBE(place + 16)];
      yield { der, at, received, bytes: row.subarray(place, end) };
      place = end;
    }
  }
}

type IsWanted = (sample: Omit<Sample, 'body'>) => boolean;

/** Unpacks the samples of rows, as far as they are wanted. */
export function unpack(rows: readonly Buffer[], isWanted: IsWanted): Sample[] {
  const samples: Sample[] = [];
  for (const packed of packedSamples(rows)) {
    const { der, at, received, bytes } = packed;
    if (isWanted(packed)) samples.push({ der, at, received, body: bytes.toString('utf8', headBytes) });
  }
  return samples;
}

/** Sorts samples by DER and time, and drops all but the first that arrived of each instant. */
export function firstOfEach<S extends Omit<Sample, 'body'>>(samples: readonly S[]): S[] {
  const sorted = samples.toSorted((a, b) => a.der - b.der || a.at - b.at || a.received - b.received);
  return sorted.filter(({ der, at }, i) => {
    const before = sorted[i - 1];
    return before?.der !== der || before.at !== at;
  });
}

/** Samples of one DER and one hour: those that arrived until one minute, packed in the order of their time. */
export type HotRow = { der: number; at: number; last_at: number; received: number; body: Buffer };

const maxHotBytes = 64 * 1024; // readers fetch whole rows

/** Packs samples again, as far as they are wanted: by DER and hour, in the order of their time. */
export function hotRowsOf(rows: readonly Buffer[], isWanted: IsWanted = () => true): HotRow[] {
  const samples = firstOfEach([...packedSamples(rows)].filter(isWanted));
  const packed: HotRow[] = [];
  let pieces: PackedSample[] = [];
  let bytes = 0;
  const finish = (): void => {
    const [first, last] = [pieces.at(0), pieces.at(-1)];
    if (!first || !last) return;
    const received = pieces.reduce((latest, piece) => Math.max(latest, piece.received), 0);
    const body = Buffer.concat(pieces.map((piece) => piece.bytes));
    packed.push({ der: first.der, at: first.at, last_at: last.at, received, body });
    pieces = [];
    bytes = 0;
  };
  for (const sample of samples) {
    const [first] = pieces;
    const isSameHour = first?.der === sample.der && windowStart(first.at, hourMs) === windowStart(sample.at, hourMs);
    if (!isSameHour || bytes + sample.bytes.length > maxHotBytes) finish();
    pieces.push(sample);
    bytes += sample.bytes.length;
  }
  finish();
  return packed;
}
