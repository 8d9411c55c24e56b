import { localTime } from './local-time.ts';

// The types of DLMS/COSEM that push telegrams are made of: a tag, then the value, high byte first.

const tagged = (tag: number, length: number, write: (bytes: Buffer) => void): Buffer => {
  const bytes = Buffer.alloc(1 + length);
  bytes[0] = tag;
  write(bytes);
  return bytes;
};

export const u32 = (value: number): Buffer => tagged(0x06, 4, (bytes) => bytes.writeUInt32BE(Math.round(value), 1));
export const u16 = (value: number): Buffer => tagged(0x12, 2, (bytes) => bytes.writeUInt16BE(Math.round(value), 1));
export const i16 = (value: number): Buffer => tagged(0x10, 2, (bytes) => bytes.writeInt16BE(Math.round(value), 1));
const i8 = (value: number): Buffer => tagged(0x0f, 1, (bytes) => bytes.writeInt8(value, 1));
const choice = (value: number): Buffer => Buffer.from([0x16, value]);

export const array = (items: readonly Buffer[]): Buffer => Buffer.concat([Buffer.from([0x01, items.length]), ...items]);
export const structure = (items: readonly Buffer[]): Buffer =>
  Buffer.concat([Buffer.from([0x02, items.length]), ...items]);

export const octets = (bytes: Buffer): Buffer => Buffer.concat([Buffer.from([0x09, bytes.length]), bytes]);
export const octetText = (text: string): Buffer => octets(Buffer.from(text, 'latin1'));
export const visibleText = (text: string): Buffer =>
  Buffer.concat([Buffer.from([0x0a, text.length]), Buffer.from(text, 'latin1')]);

/** `obis('1-0:1.7.0')` as an octet string of six. */
export const obis = (code: string): Buffer => octets(Buffer.from([...code.split(/[-:.]/).map(Number), 255]));

const units = { W: 27, var: 29, Wh: 30, varh: 32, A: 33, V: 35, none: 255 } as const;

/** The value is what was sent times ten to the power of `exponent`. */
export const scale = (exponent: number, unit: keyof typeof units): Buffer =>
  structure([i8(exponent), choice(units[unit])]);

/** Twelve bytes; without `hasZone` the distance to UTC is left open. */
export function dateTime(at: number, { hasZone = false } = {}): Buffer {
  const { year, month, day, weekday, hour, minute, second, isSummer } = localTime(at);
  const bytes = Buffer.alloc(12);
  bytes.writeUInt16BE(year);
  bytes.set([month, day, weekday || 7, hour, minute, second, 0xff], 2);
  bytes.writeInt16BE(hasZone ? (isSummer ? -120 : -60) : -0x8000, 9);
  bytes[11] = hasZone && isSummer ? 0x80 : 0;
  return bytes;
}

/** What a meter pushes: invocation, time (or none), body. */
export const notification = (body: Buffer, time: Buffer = Buffer.from([0]), invocation = 0x40000000): Buffer => {
  const head = tagged(0x0f, 4, (bytes) => bytes.writeUInt32BE(invocation, 1));
  return Buffer.concat([head, time, body]);
};
