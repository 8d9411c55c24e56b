const shape = (words: number, type: 'unsigned' | 'signed' | 'float') => ({ words, type, isLowFirst: false });
const lowFirst = (words: number, type: 'unsigned' | 'signed' | 'float') => ({ words, type, isLowFirst: true });

const shapes = {
  u16: shape(1, 'unsigned'),
  i16: shape(1, 'signed'),
  u32: shape(2, 'unsigned'),
  i32: shape(2, 'signed'),
  u64: shape(4, 'unsigned'),
  f32: shape(2, 'float'),
  u32le: lowFirst(2, 'unsigned'),
  i32le: lowFirst(2, 'signed'),
  u64le: lowFirst(4, 'unsigned'),
  f32le: lowFirst(2, 'float'),
};

/** `le` is low word first; bytes are always big-endian. */
export type Kind = keyof typeof shapes;

export const lengthOf = (kind: Kind): number => shapes[kind].words;

/** Encodes a number; undefined gives the pattern for "not available". */
export function encode(value: number | undefined, kind: Kind): number[] {
  const { words: count, isLowFirst } = shapes[kind];
  const bits = bitsOf(value, kind);
  const words = Array.from({ length: count }, (_, index) => Number((bits >> BigInt(16 * index)) & 0xffffn));
  return isLowFirst ? words : words.reverse();
}

function bitsOf(value: number | undefined, kind: Kind): bigint {
  const { words, type } = shapes[kind];
  const size = 16 * words;
  if (type === 'float') {
    return value === undefined ? 0x7fc00000n : BigInt(new Uint32Array(Float32Array.of(value).buffer)[0] ?? 0);
  }
  if (value === undefined) return type === 'signed' ? 2n ** BigInt(size - 1) : 2n ** BigInt(size) - 1n;
  const [min, max] = type === 'signed' ? [-(2 ** (size - 1)), 2 ** (size - 1) - 1] : [0, 2 ** size - 1];
  const whole = Math.min(max, Number.MAX_SAFE_INTEGER, Math.max(min, Math.round(value)));
  return BigInt.asUintN(size, BigInt(whole));
}

export function decode(words: readonly number[], kind: Kind): number {
  const { words: count, type, isLowFirst } = shapes[kind];
  const ordered = isLowFirst ? words.toReversed() : words;
  const bits = ordered.reduce((sum, word) => (sum << 16n) | BigInt(word), 0n);
  if (type === 'float') return new Float32Array(Uint32Array.of(Number(bits)).buffer)[0] ?? Number.NaN;
  return Number(type === 'signed' ? BigInt.asIntN(16 * count, bits) : bits);
}

/** Encodes two characters per register, padded with NUL. */
export function encodeText(text: string, length: number): number[] {
  const bytes = Buffer.alloc(length * 2);
  bytes.write(text, 'latin1');
  return Array.from({ length }, (_, index) => bytes.readUInt16BE(index * 2));
}
