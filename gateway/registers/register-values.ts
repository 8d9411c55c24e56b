import type { RegisterValueType } from '#contract/gateway/registers.ts';
import { fieldProblem, Problem } from '#contract/problem.ts';
import { isObject } from '#lib/json.ts';

const numbers: Record<Exclude<RegisterValueType, 'str'>, { words: number; read(bytes: Buffer): number | bigint }> = {
  u16: { words: 1, read: (bytes) => bytes.readUInt16BE() },
  i16: { words: 1, read: (bytes) => bytes.readInt16BE() },
  u32: { words: 2, read: (bytes) => bytes.readUInt32BE() },
  i32: { words: 2, read: (bytes) => bytes.readInt32BE() },
  f32: { words: 2, read: (bytes) => bytes.readFloatBE() },
  u64: { words: 4, read: (bytes) => bytes.readBigUInt64BE() },
  i64: { words: 4, read: (bytes) => bytes.readBigInt64BE() },
};

/** Returns the number of registers of a value; one for text, whose length is given in the request. */
export const wordsOf = (type: RegisterValueType = 'u16'): number => (type === 'str' ? 1 : numbers[type].words);

/** Decodes registers. `little` has the low word first; the bytes of a word are always big-endian. */
export function typedValue(
  words: readonly number[],
  type: RegisterValueType,
  endianness: 'little' | 'big',
  scale: number,
): number | string {
  if (type === 'str') return text(words);
  const used = words.slice(0, numbers[type].words);
  if (endianness === 'little') used.reverse();
  const raw = numbers[type].read(bytesOf(used));
  return typeof raw === 'bigint' ? wide(raw, scale) : scaled(raw, scale);
}

/** Returns a number if it is exact, otherwise text. */
function wide(raw: bigint, scale: number): number | string {
  const number = Number(raw);
  if (scale !== 1) return scaled(number, scale);
  return Number.isSafeInteger(number) ? number : raw.toString();
}

/** Represents NaN and infinity as text, because JSON cannot. */
function scaled(raw: number, scale: number): number | string {
  const value = scale === 1 ? raw : Number((raw * scale).toPrecision(15));
  return Number.isFinite(value) ? value : String(value);
}

const bytesOf = (words: readonly number[]): Buffer => Buffer.from(words.flatMap((word) => [word >> 8, word & 0xff]));

const text = (words: readonly number[]): string => {
  const bytes = bytesOf(words);
  const end = bytes.indexOf(0);
  return bytes
    .toString('latin1', 0, end < 0 ? bytes.length : end)
    .replace(/[^\x20-\x7e]/g, '')
    .trim();
};

export type RegisterWrite = { address: number; value: number };

const maxWrites = 125;

/** Returns the writes of a request in the order of its text, because `JSON.parse` sorts integer keys. */
export function writeList(registers: unknown, bodyText: string): RegisterWrite[] {
  if (!isObject(registers)) throw fieldProblem('invalid_request', 'body.registers', 'must be an object');
  const keys = Object.keys(registers);
  if (keys.length === 0) throw new Problem('invalid_request', 'No register is given; send {"<address>": value}.');
  if (keys.length > maxWrites) throw new Problem('invalid_request', `At most ${maxWrites} registers in one request.`);
  // Also matches values: searching the end of each string from every quote would take a minute for a long text.
  const inText = [...bodyText.matchAll(/"((?:[^"\\]|\\[\s\S]?)*)(?:"(\s*:)?|$)/g)]
    .filter(([, , colon]) => colon)
    .map(([, key]) => String(JSON.parse(`"${key}"`)));
  const inOrder = [...new Set(inText.toReversed())].toReversed(); // of repeated keys, the last one counts
  return inOrder
    .filter((key) => Object.hasOwn(registers, key))
    .map((key) => ({ address: addressOf(key), value: wordOf(key, registers[key]) }));
}

function addressOf(key: string): number {
  const address = /^(\d{1,5}|0x[0-9a-f]{1,4})$/i.test(key) ? Number(key) : Number.NaN;
  if (address >= 0 && address <= 0xffff) return address;
  throw fieldProblem('invalid_request', `body.${key.slice(0, 40)}`, 'is not a register address from 0 to 65535');
}

/** Returns a signed or unsigned 16-bit value as sent on the wire. */
export function wordOf(name: string, value: unknown): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= -0x8000 && value <= 0xffff)
    return value & 0xffff;
  throw fieldProblem('invalid_request', `body.${name.slice(0, 40)}`, 'must be an integer of 16 bits');
}
