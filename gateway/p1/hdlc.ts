import { begun, broken, type Candidate, possible } from './candidate.ts';
import { hdlcCrc } from './crc16.ts';

export const hdlcFlag = 0x7e;

const longestAddress = 4;
const shortestFrame = 7; // format, two addresses of one byte, control, check

export type HdlcFrame = { information: Uint8Array; isSegment: boolean };

/**
 * 7E, format (2), destination, source, control, HCS (2), information, FCS (2), 7E. These ports do not stuff bytes:
 * only the length finds the end. One flag may close a frame and open the next.
 */
export function lookForHdlc(bytes: Uint8Array, at: number, end: number): Candidate<HdlcFrame> {
  if (at + 3 > end) return at + 2 > end || isFormat(bytes[at + 1]!) ? possible : undefined;
  const format = bytes[at + 1]!;
  const length = ((format & 7) << 8) | bytes[at + 2]!;
  if (!isFormat(format) || length < shortestFrame) return undefined;

  const source = behindAddress(bytes, at + 3, end);
  const control = source === undefined ? undefined : behindAddress(bytes, source, end);
  if (control === undefined) return undefined;
  if (control + 3 > end) return possible;

  const whole = length + 2;
  const last = at + length - 1; // of the two bytes of FCS the first
  if (last <= control) return undefined;
  const hasInformation = last > control + 2; // without it the FCS follows the control byte
  if (hasInformation && !passes(bytes, at + 1, control + 1)) return broken(whole, 'the header check is wrong');
  if (at + whole > end) return begun;
  if (bytes[at + whole - 1] !== hdlcFlag) return broken(whole, 'the length does not fit');
  if (!passes(bytes, at + 1, last)) return broken(whole, 'the CRC is wrong');
  const information = bytes.subarray(hasInformation ? control + 3 : last, last);
  return { state: 'whole', length: whole, information, isSegment: (format & 8) !== 0 };
}

const isFormat = (byte: number): boolean => byte >> 4 === 0xa;

/** An address ends with the byte whose lowest bit is set. */
function behindAddress(bytes: Uint8Array, at: number, end: number): number | undefined {
  for (let last = at; last < at + longestAddress; last++) {
    if (last >= end || bytes[last]! & 1) return last + 1;
  }
  return undefined;
}

/** A check stands behind what it covers, low byte first. */
const passes = (bytes: Uint8Array, from: number, to: number): boolean =>
  hdlcCrc(bytes, from, to) === (bytes[to]! | (bytes[to + 1]! << 8));
