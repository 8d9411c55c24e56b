import { begun, broken, type Candidate, possible } from './candidate.ts';

export const mbusStart = 0x68;

const stop = 0x16;
// Who sends data: a meter that answers (08 and its flags), or one that pushes (53, 73).
const controls = new Set([0x08, 0x18, 0x28, 0x38, 0x53, 0x73]);

export type MbusFrame = { controlInformation: number; data: Uint8Array };

/** 68 L L 68 C A CI data checksum 16; the checksum is the sum from C to the end of the data. */
export function lookForMbus(bytes: Uint8Array, at: number, end: number): Candidate<MbusFrame> {
  if (at + 5 > end) return at + 4 > end || bytes[at + 3] === mbusStart ? possible : undefined;
  if (bytes[at + 3] !== mbusStart || !controls.has(bytes[at + 4]!)) return undefined;
  const length = bytes[at + 1]!;
  if (length !== bytes[at + 2]) return broken(5, 'the two lengths differ');
  if (length < 3) return undefined;

  const whole = length + 6;
  if (at + whole > end) return begun;
  if (bytes[at + whole - 1] !== stop) return broken(whole, 'the length does not fit');
  let sum = 0;
  for (let index = at + 4; index < at + 4 + length; index++) sum += bytes[index]!;
  if ((sum & 0xff) !== bytes[at + whole - 2]) return broken(whole, 'the checksum is wrong');
  return {
    state: 'whole',
    length: whole,
    controlInformation: bytes[at + 6]!,
    data: bytes.subarray(at + 7, at + whole - 2),
  };
}
