import { mostBytes, putByte, type Request } from './pdu.ts';

/** Texts of a device by their object number, and the number to ask for next when there are more. */
export type DeviceTexts = { texts: Map<number, string>; next: number | undefined };

const code = 43;
const readDevice = 14;
const basic = 1; // vendor, product and revision, in one stream
const headerBytes = 7;

/** Function 43/14: what the device says of itself. */
export function identifyRequest(first: number): Request<DeviceTexts> {
  return {
    function: code,
    address: 0,
    count: 0,
    isWrite: false,
    bytes: 4 + mostBytes,
    encode: (out, at) => putByte(out, putByte(out, putByte(out, putByte(out, at, code), readDevice), basic), first),
    answerLength(bytes, at, end) {
      if (end < at + headerBytes) return undefined;
      let length = headerBytes;
      for (let left = bytes[at + 6]!; left > 0; left--) {
        if (at + length + 2 > end) return undefined;
        length += 2 + bytes[at + length + 1]!;
        if (length > mostBytes) return 0;
      }
      return length;
    },
    decode(bytes, at, end) {
      if (this.answerLength(bytes, at, end) !== end - at) return undefined;
      if (bytes[at + 1] !== readDevice || bytes[at + 2] !== basic) return undefined;
      const texts = new Map<number, string>();
      for (let from = at + headerBytes; from < end; from += 2 + bytes[from + 1]!)
        texts.set(bytes[from]!, text(bytes.subarray(from + 2, from + 2 + bytes[from + 1]!)));
      return { texts, next: bytes[at + 4] === 0xff ? bytes[at + 5] : undefined };
    },
  };
}

function text(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString('latin1')
    .replace(/[^\x20-\x7e]/g, '')
    .trim();
}
