import type { RegisterValueType } from '#contract/gateway/registers.ts';

/** How many registers a value of each type takes; of text the caller says. */
export const wordsOf: Record<Exclude<RegisterValueType, 'str'>, number> = {
  u16: 1,
  i16: 1,
  u32: 2,
  i32: 2,
  f32: 2,
  u64: 4,
  i64: 4,
};

export type Endianness = 'little' | 'big';

/** The value of these registers. `little` has the low word first; the bytes of a word are always big-endian. */
export function typedValue(
  words: readonly number[],
  type: RegisterValueType,
  endianness: Endianness,
  scale: number,
): number | string {
  if (type === 'str') return text(words);
  const used = words.slice(0, wordsOf[type]);
  if (endianness === 'little') used.reverse();
  const raw = readers[type](bytesOf(used));
  if (typeof raw === 'bigint') return wide(raw, scale);
  return scaled(raw, scale);
}

const readers: Record<Exclude<RegisterValueType, 'str'>, (bytes: Buffer) => number | bigint> = {
  u16: (bytes) => bytes.readUInt16BE(),
  i16: (bytes) => bytes.readInt16BE(),
  u32: (bytes) => bytes.readUInt32BE(),
  i32: (bytes) => bytes.readInt32BE(),
  f32: (bytes) => bytes.readFloatBE(),
  u64: (bytes) => bytes.readBigUInt64BE(),
  i64: (bytes) => bytes.readBigInt64BE(),
};

/** As a number where that is exact, else as text. */
function wide(raw: bigint, scale: number): number | string {
  const number = Number(raw);
  if (scale !== 1) return scaled(number, scale);
  return Number.isSafeInteger(number) ? number : raw.toString();
}

/** JSON has no NaN and no infinity: they are told as text. */
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
