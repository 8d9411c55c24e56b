import { createCipheriv } from 'node:crypto';

// For tests: encodes frames, with checks computed bit by bit, independently of the decoder.

export function crcOf(bytes: Uint8Array, polynomial: number, start: number): number {
  let crc = start;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >> 1) ^ polynomial : crc >> 1;
  }
  return crc;
}

export const telegramCrcOf = (bytes: Uint8Array): number => crcOf(bytes, 0xa001, 0);
export const hdlcCrcOf = (bytes: Uint8Array): number => crcOf(bytes, 0x8408, 0xffff) ^ 0xffff;

const littleEndian = (value: number): number[] => [value & 0xff, value >> 8];
const bigEndian = (value: number, size: number): number[] =>
  Array.from({ length: size }, (_, index) => Number((BigInt(value) >> BigInt(8 * (size - 1 - index))) & 0xffn));

export const hex = (text: string): Buffer => Buffer.from(text.replace(/\s/g, ''), 'hex');

/** Encodes a telegram; `crc` formats the four digits of the CRC, or omits them. */
export function telegram(
  id: string,
  lines: readonly string[],
  crc: (digits: string) => string = (digits) => digits,
): Buffer {
  const covered = Buffer.from(`/${[id, '', ...lines].join('\r\n')}\r\n!`, 'latin1');
  const digits = telegramCrcOf(covered).toString(16).toUpperCase().padStart(4, '0');
  return Buffer.concat([covered, Buffer.from(`${crc(digits)}\r\n`)]);
}

type Bytes = readonly number[];

const lengthOf = (size: number): Bytes =>
  size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff];

export const u32 = (value: number): Bytes => [0x06, ...bigEndian(value, 4)];
export const i32 = (value: number): Bytes => [0x05, ...bigEndian(value, 4)];
export const u16 = (value: number): Bytes => [0x12, ...bigEndian(value, 2)];
export const i16 = (value: number): Bytes => [0x10, ...bigEndian(value, 2)];
export const u64 = (value: number): Bytes => [0x15, ...bigEndian(value, 8)];
export const i8 = (value: number): Bytes => [0x0f, value & 0xff];
export const enumeration = (value: number): Bytes => [0x16, value];
export const nothing: Bytes = [0x00];
export const octets = (bytes: Bytes): Bytes => [0x09, ...lengthOf(bytes.length), ...bytes];
export const visible = (text: string): Bytes => [0x0a, ...lengthOf(text.length), ...Buffer.from(text)];
export const asOctets = (text: string): Bytes => octets([...Buffer.from(text)]);
export const structure = (...items: Bytes[]): Bytes => [0x02, ...lengthOf(items.length), ...items.flat()];
export const array = (...items: Bytes[]): Bytes => [0x01, ...lengthOf(items.length), ...items.flat()];

export const codeBytes = (code: string): Bytes => [...code.split(/[-:.]/).map(Number), 0xff];
export const obis = (code: string): Bytes => octets(codeBytes(code));
export const scale = (scaler: number, unit: number): Bytes => structure(i8(scaler), enumeration(unit));

/** Code, value and scale in sequence. */
export const pair = (code: string, value: Bytes, scale?: Bytes): Bytes[] =>
  scale ? [obis(code), value, scale] : [obis(code), value];

/** 2024-03-05 14:30:10 without a time zone. */
export const clockBytes: Bytes = [0x07, 0xe8, 3, 5, 2, 14, 30, 10, 0xff, 0x80, 0x00, 0x00];

export const notification = (body: Bytes, time: Bytes = [0x00]): Buffer =>
  Buffer.from([0x0f, 0x40, 0, 0, 0, ...time, ...body]);

const llc = [0xe6, 0xe7, 0x00];
export const withLlc = (apdu: Uint8Array): Buffer => Buffer.from([...llc, ...apdu]);

export function hdlc(
  information: Uint8Array,
  { isSegment = false, addresses = [0x41, 0x08, 0x83], control = 0x13 } = {},
): Buffer {
  const length = 2 + addresses.length + 1 + 2 + information.length + 2;
  const header = [0xa0 | (isSegment ? 8 : 0) | (length >> 8), length & 0xff, ...addresses, control];
  const covered = [...header, ...littleEndian(hdlcCrcOf(Uint8Array.from(header))), ...information];
  return Buffer.from([0x7e, ...covered, ...littleEndian(hdlcCrcOf(Uint8Array.from(covered))), 0x7e]);
}

/** Splits a message into frames of at most `size` bytes of information. */
export function segmented(information: Uint8Array, size: number): Buffer {
  const frames: Buffer[] = [];
  for (let at = 0; at < information.length; at += size) {
    frames.push(hdlc(information.subarray(at, at + size), { isSegment: at + size < information.length }));
  }
  return Buffer.concat(frames);
}

/** Splits a message into blocks of general block transfer, one per frame. */
export function inBlocks(apdu: Uint8Array, size: number): Buffer {
  const count = Math.ceil(apdu.length / size);
  const frames = Array.from({ length: count }, (_, index) => {
    const data = apdu.subarray(index * size, (index + 1) * size);
    const control = index === count - 1 ? 0xc0 : 0x40;
    const block = Buffer.from([0xe0, control, ...bigEndian(index + 1, 2), 0, 0, ...lengthOf(data.length), ...data]);
    return hdlc(index === 0 ? withLlc(block) : block, { addresses: [0xce, 0xff, 0x03] });
  });
  return Buffer.concat(frames);
}

export function mbus(controlInformation: number, data: Uint8Array, { control = 0x53, address = 0xff } = {}): Buffer {
  const covered = [control, address, controlInformation, ...data];
  const sum = covered.reduce((total, byte) => total + byte, 0) & 0xff;
  return Buffer.from([0x68, covered.length, covered.length, 0x68, ...covered, sum, 0x16]);
}

/** Encodes DLMS over M-Bus in parts of at most `size` bytes, with the last one marked. */
export function mbusParts(apdu: Uint8Array, size: number): Buffer {
  const count = Math.ceil(apdu.length / size);
  const parts = Array.from({ length: count }, (_, index) =>
    mbus(
      index === count - 1 ? 0x10 | index : index,
      Buffer.from([0x01, 0x67, ...apdu.subarray(index * size, (index + 1) * size)]),
    ),
  );
  return Buffer.concat(parts);
}

export const meterKey = hex('6a1d0c5be2f04f7788aa10c2b39d4e51');
export const ownAuthenticationKey = hex('d0d1d2d3d4d5d6d7d8d9dadbdcdddedf');
export const luxembourgKey = hex('00112233445566778899aabbccddeeff');

/** Encrypts with general-glo-ciphering, with or without authentication. */
export function ciphered(plain: Uint8Array, authenticationKey?: Uint8Array): Buffer {
  const title = Buffer.from('OHM\x67\x00\x01\x02\x03', 'latin1');
  const counter = Buffer.of(0, 0, 1, 7);
  const security = authenticationKey ? 0x30 : 0x20;
  const cipher = createCipheriv('aes-128-gcm', meterKey, Buffer.concat([title, counter]), { authTagLength: 12 });
  if (authenticationKey) cipher.setAAD(Buffer.concat([Buffer.of(security), authenticationKey]));
  const text = Buffer.concat([cipher.update(plain), cipher.final()]);
  const body = [security, ...counter, ...text, ...(authenticationKey ? cipher.getAuthTag() : [])];
  return Buffer.from([0xdb, 0x08, ...title, ...lengthOf(body.length), ...body]);
}
