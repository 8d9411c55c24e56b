import { hdlcCrc } from './crc16.ts';
import { begun, broken, type Candidate, possible } from './frame.ts';

export const hdlcFlag = 0x7e;

const maxAddressSize = 4;
const minFrameSize = 7; // format, two addresses of one byte, control, check

export type HdlcFrame = { information: Uint8Array; isSegment: boolean };

/**
 * Matches 7E, format (2), destination, source, control, HCS (2), information, FCS (2), 7E. Customer ports use no byte stuffing,
 * so only the length determines the end. One flag may end a frame and start the next.
 */
export function matchHdlc(bytes: Uint8Array, at: number, end: number): Candidate<HdlcFrame> {
  const [, format, lowLength] = bytes.subarray(at, Math.min(at + 3, end));
  if (format === undefined) return possible;
  if (lowLength === undefined) return isFormat(format) ? possible : undefined;
  const length = ((format & 7) << 8) | lowLength;
  if (!isFormat(format) || length < minFrameSize) return undefined;

  const source = afterAddress(bytes, at + 3, end);
  const control = source === undefined ? undefined : afterAddress(bytes, source, end);
  if (control === undefined) return undefined;
  if (control + 3 > end) return possible;

  const whole = length + 2;
  const last = at + length - 1; // first byte of the FCS
  if (last <= control) return undefined;
  const hasInformation = last > control + 2; // otherwise the FCS follows the control byte
  if (hasInformation && !passes(bytes, at + 1, control + 1)) return broken(whole, 'the header check is wrong');
  if (at + whole > end) return begun;
  if (bytes[at + whole - 1] !== hdlcFlag) return broken(whole, 'the length is wrong');
  if (!passes(bytes, at + 1, last)) return broken(whole, 'the CRC is wrong');
  const information = bytes.subarray(hasInformation ? control + 3 : last, last);
  return { state: 'whole', length: whole, information, isSegment: (format & 8) !== 0 };
}

const isFormat = (byte: number): boolean => byte >> 4 === 0xa;

/** An address ends with the byte whose lowest bit is set. */
function afterAddress(bytes: Uint8Array, at: number, end: number): number | undefined {
  for (let last = at; last < at + maxAddressSize; last++) {
    if (last >= end || (bytes[last] ?? 0) & 1) return last + 1;
  }
  return undefined;
}

/** Checks a CRC, which follows the covered bytes, low byte first. */
function passes(bytes: Uint8Array, from: number, to: number): boolean {
  const crc = hdlcCrc(bytes, from, to);
  return bytes[to] === (crc & 0xff) && bytes[to + 1] === crc >> 8;
}
