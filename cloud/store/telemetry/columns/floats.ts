import type { ByteReader, ByteWriter } from './bytes.ts';

/** Numbers that are not decimals of moderate length: what changed in each byte, byte by byte of all of them. */
export function writeFloats(to: ByteWriter, values: Float64Array): void {
  const bytes = new Uint8Array(values.map((value) => value + 0).buffer);
  for (let plane = 0; plane < 8; plane++) {
    const room = to.room(values.length);
    let before = 0;
    for (let i = 0; i < values.length; i++) {
      const byte = bytes[i * 8 + plane]!;
      room[i] = byte ^ before;
      before = byte;
    }
  }
}

export function readFloats(from: ByteReader, length: number): Float64Array {
  const values = new Float64Array(length);
  const bytes = new Uint8Array(values.buffer);
  for (let plane = 0; plane < 8; plane++) {
    const room = from.block(length);
    let before = 0;
    for (let i = 0; i < length; i++) {
      before ^= room[i]!;
      bytes[i * 8 + plane] = before;
    }
  }
  return values;
}
