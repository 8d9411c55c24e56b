import { createCipheriv } from 'node:crypto';
import { localTime } from './meter-values.ts';

// DLMS/COSEM types of push messages: a tag, then the value, high byte first.

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

export const array = (items: readonly Buffer[]): Buffer => Buffer.concat([Buffer.from([0x01, items.length]), ...items]);
export const structure = (items: readonly Buffer[]): Buffer =>
  Buffer.concat([Buffer.from([0x02, items.length]), ...items]);

export const octets = (bytes: Buffer): Buffer => Buffer.concat([Buffer.from([0x09, bytes.length]), bytes]);
export const octetText = (text: string): Buffer => octets(Buffer.from(text, 'latin1'));
export const visibleText = (text: string): Buffer =>
  Buffer.concat([Buffer.from([0x0a, text.length]), Buffer.from(text, 'latin1')]);

/** Encodes a code such as 1-0:1.7.0 as an octet string of six. */
export const obis = (code: string): Buffer => octets(Buffer.from([...code.split(/[-:.]/).map(Number), 255]));

const units = { W: 27, var: 29, Wh: 30, varh: 32, A: 33, V: 35, none: 255 } as const;

/** Encodes a code, its value and its scale: the measured value is the sent one × 10^`exponent`. */
export const measured = (code: string, value: Buffer, exponent: number, unit: keyof typeof units): Buffer[] => [
  obis(code),
  value,
  structure([i8(exponent), Buffer.from([0x16, units[unit]])]),
];

/** Encodes a time in twelve bytes; without `hasZone`, the offset to UTC is undefined. */
export function dateTime(at: number, { hasZone = false } = {}): Buffer {
  const { wall, isSummer } = localTime(at);
  const bytes = Buffer.alloc(12);
  bytes.writeUInt16BE(wall.getUTCFullYear());
  bytes.set([wall.getUTCMonth() + 1, wall.getUTCDate(), wall.getUTCDay() || 7], 2);
  bytes.set([wall.getUTCHours(), wall.getUTCMinutes(), wall.getUTCSeconds(), 0xff], 5);
  bytes.writeInt16BE(hasZone ? (isSummer ? -120 : -60) : -0x8000, 9);
  bytes[11] = hasZone && isSummer ? 0x80 : 0;
  return bytes;
}

/** Encodes a data notification: invocation, time (optional), body. */
export const notification = (body: Buffer, time: Buffer = Buffer.from([0]), invocation = 0x40000000): Buffer => {
  const head = tagged(0x0f, 4, (bytes) => bytes.writeUInt32BE(invocation, 1));
  return Buffer.concat([head, time, body]);
};

type Keys = { key: Buffer; authentication?: Buffer };

/** The key of the simulated meters; the grid company assigns real keys. */
export const simKey = Buffer.from('5349304d00112233445566778899aabb', 'hex');

/** The same for all meters in Luxembourg. */
export const luxembourgAuthentication = Buffer.from('00112233445566778899aabbccddeeff', 'hex');

const [encrypted, authenticated] = [0x20, 0x10];

/** Encrypts with general-glo-ciphering: AES-128-GCM, with a tag of 12 bytes if there is an authentication key. */
export function encrypt(plain: Buffer, title: string, counter: number, { key, authentication }: Keys): Buffer {
  const security = Buffer.from([encrypted | (authentication ? authenticated : 0)]);
  const system = Buffer.from(title, 'latin1');
  const invocation = Buffer.alloc(4);
  invocation.writeUInt32BE(counter);
  const cipher = createCipheriv('aes-128-gcm', key, Buffer.concat([system, invocation]), { authTagLength: 12 });
  if (authentication) cipher.setAAD(Buffer.concat([security, authentication]));
  const secret = Buffer.concat([cipher.update(plain), cipher.final()]);
  const content = Buffer.concat([security, invocation, secret, ...(authentication ? [cipher.getAuthTag()] : [])]);
  return Buffer.concat([Buffer.from([0xdb, system.length]), system, lengthOf(content), content]);
}

function lengthOf({ length }: Buffer): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  return length < 0x100 ? Buffer.from([0x81, length]) : Buffer.from([0x82, length >> 8, length & 0xff]);
}
