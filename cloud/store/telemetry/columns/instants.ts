import type { ByteReader, ByteWriter } from './bytes.ts';
import { readIntegers, tellIntegers, writeTold } from './integers.ts';

const tick = 100; // ms; intervals at which things are read are multiples of this

/** Instants in order: as ticks of the usual interval and how far off each is, where that is less to tell. */
export function writeInstants(to: ByteWriter, at: Float64Array): void {
  const plain = tellIntegers(at);
  const interval = usualInterval(at);
  if (interval > 0) {
    const turns = new Float64Array(at.length);
    const off = new Float64Array(at.length);
    for (let i = 0; i < at.length; i++) {
      turns[i] = Math.round(at[i]! / interval);
      off[i] = at[i]! - turns[i]! * interval;
    }
    const parts = [tellIntegers(turns), tellIntegers(off)];
    if (parts.reduce((bits, part) => bits + part.bits, 0) < plain.bits) {
      to.integer(interval);
      for (const part of parts) writeTold(to, part);
      return;
    }
  }
  to.integer(0);
  writeTold(to, plain);
}

export function readInstants(from: ByteReader, length: number): Float64Array {
  const interval = from.integer();
  const at = readIntegers(from, length);
  if (interval === 0) return at;
  const off = readIntegers(from, length);
  for (let i = 0; i < length; i++) at[i] = at[i]! * interval + off[i]!;
  return at;
}

function usualInterval(at: Float64Array): number {
  if (at.length < 3) return 0;
  const steps = at.slice(1);
  for (let i = 0; i < steps.length; i++) steps[i]! -= at[i]!;
  const middle = steps.sort()[steps.length >> 1]!;
  return Math.round(middle / tick) * tick;
}
