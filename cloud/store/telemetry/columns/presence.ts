import type { ByteReader, ByteWriter } from './bytes.ts';

/** Columns mark what was not read by NaN; these write the numbers that are there, and where they are. */
export function writePresence(to: ByteWriter, values: Float64Array): Float64Array {
  let absent = 0;
  for (let i = 0; i < values.length; i++) if (Number.isNaN(values[i]!)) absent++;
  to.integer(absent);
  if (absent === 0) return values;
  const present = values.filter((value) => !Number.isNaN(value));
  const bits = to.room(Math.ceil(values.length / 8)).fill(0);
  for (let i = 0; i < values.length; i++) if (!Number.isNaN(values[i]!)) bits[i >> 3]! |= 1 << (i & 7);
  return present;
}

export type Presence = { count: number; spread(present: Float64Array): Float64Array };

export function readPresence(from: ByteReader, length: number): Presence {
  const absent = from.integer();
  if (absent === 0) return { count: length, spread: (present) => present };
  const bits = from.block(Math.ceil(length / 8));
  const spread = (present: Float64Array): Float64Array => {
    const values = new Float64Array(length);
    for (let i = 0, next = 0; i < length; i++)
      values[i] = bits[i >> 3]! & (1 << (i & 7)) ? present[next++]! : Number.NaN;
    return values;
  };
  return { count: length - absent, spread };
}
