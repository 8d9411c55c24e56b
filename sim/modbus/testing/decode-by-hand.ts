// For tests: decodes registers as described in the vendor's table.

type Words = number[];
const signed = (words: Words): bigint => {
  const bits = words.reduce((sum, word) => sum * 65_536n + BigInt(word), 0n);
  return bits >= 2n ** BigInt(16 * words.length - 1) ? bits - 2n ** BigInt(16 * words.length) : bits;
};
export const u16 = ([word]: Words): number => word!;
export const i16 = ([word]: Words): number => (word! > 32_767 ? word! - 65_536 : word!);
export const u32 = ([high, low]: Words): number => high! * 65_536 + low!;
export const u32le = ([low, high]: Words): number => high! * 65_536 + low!;
export const i32 = (words: Words): number => Number(signed(words));
export const i32le = (words: Words): number => Number(signed(words.toReversed()));
export const u64 = (words: Words): number => words.reduce((sum, word) => sum * 65_536 + word, 0);
export const u64le = (words: Words): number => u64(words.toReversed());
export const f32 = ([high, low]: Words): number => {
  const bytes = Buffer.from([high! >> 8, high! & 255, low! >> 8, low! & 255]);
  return Math.round(bytes.readFloatBE() * 1000) / 1000;
};
export const f32le = (words: Words): number => f32(words.toReversed());
export const text = (words: Words): string =>
  String.fromCharCode(...words.flatMap((word) => [word >> 8, word & 255])).replace(/\0+$/, '');
