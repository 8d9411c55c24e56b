import { createP1Decoder } from '../decoder.ts';
import { hdlcCrcOf, telegramCrcOf } from './frames.ts';
import type { CreateDecoder } from './fuzz.ts';

// For tests: decoders that accept frames without checking them, which the fuzz test has to detect.

/** Corrects the checks of all bytes since the last silence before decoding them. */
export const careless =
  (mend: (stream: Buffer) => void): CreateDecoder =>
  (keys, events) => {
    const decoder = createP1Decoder(keys, events);
    const pieces: Uint8Array[] = [];
    return {
      push(bytes) {
        pieces.push(bytes);
      },
      idle() {
        const stream = Buffer.concat(pieces.splice(0));
        mend(stream);
        decoder.push(stream);
        decoder.idle();
      },
      bufferedBytes: () => decoder.bufferedBytes(),
    };
  };

export function mendTelegrams(stream: Buffer): void {
  for (let mark = stream.indexOf('\n!'); mark >= 0; mark = stream.indexOf('\n!', mark + 2)) {
    const covered = stream.subarray(stream.lastIndexOf('/', mark), mark + 2);
    const digits = telegramCrcOf(covered).toString(16).padStart(4, '0');
    stream.write(digits, mark + 2, 'latin1');
  }
}

export function mendHdlc(stream: Buffer): void {
  for (let at = stream.indexOf(0x7e); at >= 0; at = stream.indexOf(0x7e, at + 1)) {
    if (at + 3 > stream.length || stream[at + 1]! >> 4 !== 0xa) continue;
    const end = at + 1 + (((stream[at + 1]! & 7) << 8) | stream[at + 2]!);
    const control = behindAddress(stream, behindAddress(stream, at + 3));
    if (end > stream.length || control + 5 > end) continue;
    stream.writeUInt16LE(hdlcCrcOf(stream.subarray(at + 1, control + 1)), control + 1);
    stream.writeUInt16LE(hdlcCrcOf(stream.subarray(at + 1, end - 2)), end - 2);
  }
}

function behindAddress(stream: Buffer, at: number): number {
  let last = at;
  while (last < stream.length && !(stream[last]! & 1)) last++;
  return last + 1;
}

export function mendMbus(stream: Buffer): void {
  for (let at = stream.indexOf(0x68); at >= 0; at = stream.indexOf(0x68, at + 1)) {
    const end = at + 6 + (stream[at + 1] ?? 0);
    if (end > stream.length || stream[at + 3] !== 0x68) continue;
    stream[end - 2] = stream.subarray(at + 4, end - 2).reduce((sum, byte) => sum + byte, 0) & 0xff;
  }
}
