import { unreadable } from './frame.ts';

/** A value of a DLMS message. An integer that is too large for a double is NaN. */
export type Data =
  | { is: 'null' }
  | { is: 'number'; value: number; type: number }
  | { is: 'octets'; bytes: Uint8Array }
  | { is: 'list'; items: Data[] };

export const dataNotification = 0x0f;

/** Types that the push list has to distinguish. */
export const int8Type = 0x0f;
export const uint16Type = 0x12;
export const enumType = 0x16;

const uint32Type = 0x06;

type NumberType = { size: number; read(view: DataView, at: number): number };

const uint8: NumberType = { size: 1, read: (view, at) => view.getUint8(at) };

const numbers: ReadonlyMap<number, NumberType> = new Map([
  [0x03, uint8], // boolean
  [0x11, uint8],
  [enumType, uint8],
  [int8Type, { size: 1, read: (view, at) => view.getInt8(at) }],
  [0x10, { size: 2, read: (view, at) => view.getInt16(at) }],
  [uint16Type, { size: 2, read: (view, at) => view.getUint16(at) }],
  [0x05, { size: 4, read: (view, at) => view.getInt32(at) }],
  [uint32Type, { size: 4, read: (view, at) => view.getUint32(at) }],
  [0x14, { size: 8, read: (view, at) => exact(view.getBigInt64(at)) }],
  [0x15, { size: 8, read: (view, at) => exact(view.getBigUint64(at)) }],
  [0x17, { size: 4, read: (view, at) => view.getFloat32(at) }],
  [0x18, { size: 8, read: (view, at) => view.getFloat64(at) }],
]);

const maxDepth = 8;
const nothing: Data = { is: 'null' };

/** Reads 0F, invoke id (4), date-time or 00, body. */
export function readNotification(apdu: Uint8Array): { time: Uint8Array | undefined; body: Data } {
  const reader = new Reader(apdu, 5);
  const time = reader.readTime();
  const body = reader.readData(0);
  if (reader.at !== apdu.length) throw unreadable('bytes follow the message');
  return { time, body };
}

/** Reads a length of one byte, or 81 and one byte, or 82 and two bytes; `size` is the number of bytes of the length itself. */
export function readLength(bytes: Uint8Array, at: number): { value: number; size: number } | undefined {
  const first = bytes[at];
  if (first === undefined) return undefined;
  if (first < 0x80) return { value: first, size: 1 };
  const [high, low] = bytes.subarray(at + 1, at + 3);
  if (first === 0x81 && high !== undefined) return { value: high, size: 2 };
  if (first === 0x82 && high !== undefined && low !== undefined) return { value: (high << 8) | low, size: 3 };
  return undefined;
}

class Reader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  at: number;

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.at = at;
  }

  readTime(): Uint8Array | undefined {
    if (this.#byte() === 0) return undefined;
    if (this.#bytes[this.at - 1] === 0x09) this.at++; // Kaifa: an octet string, with its type
    if (this.#bytes[this.at - 1] !== 0x0c) throw unreadable('the time is invalid');
    return this.#take(12);
  }

  readData(depth: number): Data {
    if (depth > maxDepth) throw unreadable('lists are nested too deeply');
    const type = this.#byte();
    switch (type) {
      case 0x00:
        return nothing;
      case 0x01:
        return this.#readList(this.#length(), depth);
      case 0x02:
        return this.#readStructure(depth);
      case uint32Type:
        return this.#readUint32();
      case 0x09:
      case 0x0a: // visible string
      case 0x0c: // UTF-8
        return { is: 'octets', bytes: this.#take(this.#length()) };
      case 0x04: // bits
        return { is: 'octets', bytes: this.#take((this.#length() + 7) >> 3) };
      case 0x19: // date-time
        return { is: 'octets', bytes: this.#take(12) };
      default:
        return this.#readNumber(type);
    }
  }

  #readList(count: number, depth: number): Data {
    if (count > this.#bytes.length - this.at) throw unreadable('a list is truncated');
    const items: Data[] = [];
    for (let index = 0; index < count; index++) items.push(this.readData(depth + 1));
    return { is: 'list', items };
  }

  #readStructure(depth: number): Data {
    const count = this.#length();
    if (count !== 2 || !this.#isAttribute()) return this.#readList(count, depth);
    const obis = this.#bytes.subarray(this.at + 2, this.at + 8);
    this.at += 9;
    return { is: 'list', items: [{ is: 'octets', bytes: obis }, this.readData(depth + 1)] };
  }

  /** Detects Czech lists: untyped class id (2), OBIS (6) and attribute (1) before each value. */
  #isAttribute(): boolean {
    const { at } = this;
    const bytes = this.#bytes;
    const attribute = bytes[at + 8] ?? 0;
    return bytes[at] === 0 && bytes[at + 7] === 0xff && attribute > 0 && attribute < 32;
  }

  /** The Landis+Gyr ZMF100 sends 06 09 instead of 09 06 before the OBIS codes of its currents. */
  #readUint32(): Data {
    const { at } = this;
    const bytes = this.#bytes;
    if (
      bytes[at] === 0x09 &&
      bytes[at + 1] === 1 &&
      bytes[at + 2] === 0 &&
      bytes[at + 4] === 7 &&
      bytes[at + 6] === 0xff
    ) {
      this.at++;
      return { is: 'octets', bytes: this.#take(6) };
    }
    return this.#readNumber(uint32Type);
  }

  #readNumber(type: number): Data {
    const number = numbers.get(type);
    if (!number) throw unreadable(`data type ${type} is unknown`);
    const { at } = this;
    this.#skip(number.size);
    return { is: 'number', value: number.read(this.#view, at), type };
  }

  #byte(): number {
    const byte = this.#bytes[this.at++];
    if (byte === undefined) throw unreadable('the message is truncated');
    return byte;
  }

  #length(): number {
    const length = readLength(this.#bytes, this.at);
    if (!length) throw unreadable('a length is invalid');
    this.at += length.size;
    return length.value;
  }

  #take(size: number): Uint8Array {
    const { at } = this;
    this.#skip(size);
    return this.#bytes.subarray(at, at + size);
  }

  #skip(size: number): void {
    this.at += size;
    if (this.at > this.#bytes.length) throw unreadable('the message is truncated');
  }
}

function exact(value: bigint): number {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : Number.NaN;
}
