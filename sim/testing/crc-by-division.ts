// For tests: computes checksums by long division, bit by bit, unlike the product code.

const reversed = (value: number, bits: number): number =>
  Number.parseInt(value.toString(2).padStart(bits, '0').split('').reverse().join(''), 2);

/** `poly` and `start` as in catalogues of CRCs; input and output are reflected. */
export function crcByDivision(bytes: Uint8Array, poly: number, start: number): number {
  const bits = [...bytes].flatMap((byte) => [...reversed(byte, 8).toString(2).padStart(8, '0')].map(Number));
  let rest = start;
  for (const bit of bits) {
    const top = (rest >> 15) ^ bit;
    rest = ((rest << 1) & 0xffff) ^ (top ? poly : 0);
  }
  return reversed(rest, 16);
}
