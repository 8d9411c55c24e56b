import { createDecipheriv } from 'node:crypto';
import type { P1Frame } from '../frame.ts';
import { hdlcCrcOf, meterKey, telegramCrcOf } from './frames.ts';
import { testMeters } from './meters.ts';

// For tests: explains, independently of the decoder, why a frame that no meter sent was accepted.

/** Returns whether a check passed by chance (one in 65536 does) or is missing; undefined means a bug in the decoder. */
type Excuse = 'passes its check' | 'has no check' | undefined;

export function excuseFor(stream: Buffer, frame: P1Frame): Excuse {
  if (frame.format === 'ascii') return excuseForTelegram(stream, frame) ?? excuseForCiphered(stream, frame);
  if (frame.format === 'mbus') return hasStrange(stream, mbusFrames(stream)) ? 'passes its check' : undefined;
  if (hasStrange(stream, hdlcFrames(stream))) return 'passes its check';
  return stream[0] === 0x0f ? 'has no check' : undefined;
}

type Range = [from: number, to: number];

/** Finds a range that passes its check although no meter sent it. */
function hasStrange(stream: Buffer, ranges: readonly Range[]): boolean {
  return ranges.some(([from, to]) => !testMeters.some(({ bytes }) => bytes.includes(stream.subarray(from, to))));
}

function excuseForTelegram(stream: Buffer, frame: P1Frame): Excuse {
  for (let from = stream.indexOf('/'); from >= 0; from = stream.indexOf('/', from + 1)) {
    for (let mark = stream.indexOf('!', from); mark >= 0; mark = stream.indexOf('!', mark + 1)) {
      const text = stream.toString('latin1', from, mark);
      if (!frame.obis.every((line) => text.includes(line))) continue;
      const [digits] = /^[0-9a-f]{0,4}/i.exec(stream.toString('latin1', mark + 1, mark + 5))!;
      if (digits === '') return 'has no check';
      if (Number.parseInt(digits, 16) === telegramCrcOf(stream.subarray(from, mark + 1))) return 'passes its check';
    }
  }
  return undefined;
}

/** Without the authentication key, only the CRC of the telegram inside can be checked. */
function excuseForCiphered(stream: Buffer, frame: P1Frame): Excuse {
  for (let at = stream.indexOf('db08', 'hex'); at >= 0; at = stream.indexOf('db08', at + 1, 'hex')) {
    for (const counterAt of [at + 12, at + 13, at + 14]) {
      if (counterAt + 4 > stream.length) continue;
      const start = [
        stream.subarray(at + 2, at + 10),
        stream.subarray(counterAt, counterAt + 4),
        Buffer.of(0, 0, 0, 2),
      ];
      const plain = createDecipheriv('aes-128-ctr', meterKey, Buffer.concat(start)).update(
        stream.subarray(counterAt + 4),
      );
      if (excuseForTelegram(plain, frame) === 'passes its check') return 'passes its check';
    }
  }
  return undefined;
}

function hdlcFrames(stream: Buffer): Range[] {
  const ranges: Range[] = [];
  for (let at = stream.indexOf(0x7e); at >= 0; at = stream.indexOf(0x7e, at + 1)) {
    if (at + 3 > stream.length || stream[at + 1]! >> 4 !== 0xa) continue;
    const end = at + 1 + (((stream[at + 1]! & 7) << 8) | stream[at + 2]!);
    if (end < at + 8 || stream[end] !== 0x7e) continue;
    const check = stream.readUInt16LE(end - 2);
    if (hdlcCrcOf(stream.subarray(at + 1, end - 2)) === check) ranges.push([at, end + 1]);
  }
  return ranges;
}

function mbusFrames(stream: Buffer): Range[] {
  const ranges: Range[] = [];
  for (let at = stream.indexOf(0x68); at >= 0; at = stream.indexOf(0x68, at + 1)) {
    const length = stream[at + 1] ?? 0;
    const end = at + 6 + length;
    if (end > stream.length || stream[at + 2] !== length || stream[at + 3] !== 0x68 || stream[end - 1] !== 0x16)
      continue;
    const sum = stream.subarray(at + 4, end - 2).reduce((total, byte) => total + byte, 0) & 0xff;
    if (sum === stream[end - 2]) ranges.push([at, end]);
  }
  return ranges;
}
