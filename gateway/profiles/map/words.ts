import type { NumberType, WordOrder } from './point.ts';

export const wordsOf: Record<NumberType, number> = { u16: 1, i16: 1, u32: 2, i32: 2, u64: 4, f32: 2 };

/** Unsigned patterns that devices send for "no value"; no measurement has exactly these. */
const absentPatterns: Record<NumberType, readonly number[]> = {
  u16: [0xffff],
  i16: [0x7fff, 0x8000],
  u32: [0xffff_ffff],
  i32: [0x7fff_ffff, 0x8000_0000],
  u64: [2 ** 64], // all bits set, rounded to a double
  f32: [0xff7f_ffff, 0x7f7f_ffff],
};

type Words = readonly number[];

const buffer = new DataView(new ArrayBuffer(4));

const signed: Partial<Record<NumberType, (pattern: number) => number>> = {
  i16: (pattern) => (pattern << 16) >> 16,
  i32: (pattern) => pattern | 0,
  f32: (pattern) => {
    buffer.setUint32(0, pattern);
    return shortestDecimal(buffer.getFloat32(0));
  },
};

/** Returns a function that decodes the number at an index; NaN when the pattern means "no value". */
export function rawReader(
  type: NumberType,
  order: WordOrder,
  absent: readonly number[],
): (words: Words, at: number) => number {
  const patterns = [...absentPatterns[type], ...absent];
  const decode = signed[type];
  const join = joiner(wordsOf[type], order);
  return (words, at) => {
    const pattern = join(words, at);
    if (patterns.includes(pattern)) return Number.NaN;
    return decode ? decode(pattern) : pattern;
  };
}

function joiner(count: number, order: WordOrder): (words: Words, at: number) => number {
  const wordAt = (words: Words, index: number): number => words[index] ?? Number.NaN;
  if (count === 1) return wordAt;
  const high = order === 'big' ? 0 : 1;
  if (count === 2) return (words, at) => wordAt(words, at + high) * 0x1_0000 + wordAt(words, at + 1 - high);
  const indexes = order === 'big' ? [0, 1, 2, 3] : [3, 2, 1, 0];
  return (words, at) => indexes.reduce((joined, index) => joined * 0x1_0000 + wordAt(words, at + index), 0);
}

/** Returns the shortest decimal of a 32-bit float: 386.2 instead of 386.20001220703125. NaN unless it is finite. */
function shortestDecimal(float: number): number {
  if (!Number.isFinite(float)) return Number.NaN;
  if (Number.isInteger(float)) return float;
  for (let digits = 6; digits < 9; digits++) {
    const decimal = Number(float.toPrecision(digits));
    if (Math.fround(decimal) === float) return decimal;
  }
  return Number(float.toPrecision(9));
}

/** Returns a decimal as a fraction of integers, so that 3862 × 0.1 is exactly 386.2. */
export function fractionOf(decimal: number): { multiply: number; divide: number } {
  const divide = 10 ** (String(decimal).split('.')[1]?.length ?? 0);
  return { multiply: Math.round(decimal * divide), divide };
}

/** Returns the text before the padding (NUL or 0xFF); undefined if it has unprintable characters. */
export function textOf(words: Words): string | undefined {
  const bytes = words.flatMap((word) => [word >> 8, word & 0xff]);
  const end = bytes.findIndex((byte) => byte === 0 || byte === 0xff);
  const characters = end < 0 ? bytes : bytes.slice(0, end);
  if (!characters.every((byte) => byte >= 0x20 && byte <= 0x7e)) return undefined;
  return String.fromCharCode(...characters).trim();
}
