/** `le` is low word first; bytes are always big-endian. */
export type Kind = 'u16' | 'i16' | Wide | `${Wide}le`;
type Wide = 'u32' | 'i32' | 'u64' | 'f32';

const wordsOf = { u16: 1, i16: 1, u32: 2, i32: 2, u64: 4, f32: 2 } as const;
const ranges = {
  u16: [0, 0xffff],
  i16: [-0x8000, 0x7fff],
  u32: [0, 0xffffffff],
  i32: [-0x80000000, 0x7fffffff],
  u64: [0, Number.MAX_SAFE_INTEGER],
} as const;
const notAvailable = {
  u16: 0xffffn,
  i16: 0x8000n,
  u32: 0xffffffffn,
  i32: 0x80000000n,
  u64: 2n ** 64n - 1n,
  f32: 0x7fc00000n,
};

type Plain = keyof typeof wordsOf;
const plainOf = (kind: Kind): Plain => kind.replace('le', '') as Plain;

export const lengthOf = (kind: Kind): number => wordsOf[plainOf(kind)];

/** Encodes a number; undefined gives the pattern for "not available". */
export function encode(value: number | undefined, kind: Kind): number[] {
  const plain = plainOf(kind);
  const bits = value === undefined ? notAvailable[plain] : bitsOf(value, plain);
  const words = Array.from({ length: wordsOf[plain] }, (_, index) => Number((bits >> BigInt(16 * index)) & 0xffffn));
  return kind.endsWith('le') ? words : words.reverse();
}

const floatBits = (value: number): number => new DataView(new Float32Array([value]).buffer).getUint32(0, true);

function bitsOf(value: number, plain: Plain): bigint {
  if (plain === 'f32') return BigInt(floatBits(value));
  const [min, max] = ranges[plain];
  return BigInt.asUintN(64, BigInt(Math.min(max, Math.max(min, Math.round(value)))));
}

export function decode(words: readonly number[], kind: Kind): number {
  const plain = plainOf(kind);
  const ordered = kind.endsWith('le') ? [...words].reverse() : words;
  const bits = ordered.reduce((sum, word) => (sum << 16n) | BigInt(word), 0n);
  if (plain === 'f32') return new DataView(new Uint32Array([Number(bits)]).buffer).getFloat32(0, true);
  return Number(plain.startsWith('i') ? BigInt.asIntN(16 * wordsOf[plain], bits) : bits);
}

/** Encodes two characters per register, padded with NUL. */
export function encodeText(text: string, length: number): number[] {
  const bytes = Buffer.alloc(length * 2);
  bytes.write(text, 'latin1');
  return Array.from({ length }, (_, index) => bytes.readUInt16BE(index * 2));
}
