import type { ByteReader, ByteWriter } from './bytes.ts';
import { encodeIntegers, largestInteger, readIntegers, writeEncoded } from './integers.ts';
import { type Columns, predict, predictorNumbers } from './prediction.ts';

/** Replaces the number of digits where values are written as floats. */
export const asFloats = 15;
const maxDigits = 12;
const powers = Array.from({ length: maxDigits + 1 }, (_, digits) => 10 ** digits);
const noColumns: Columns = new Map();

/** Writes any finite numbers exactly; NaN means absent. A column without absent values may be predicted from those before it. */
export function writeNumbers(to: ByteWriter, values: Float64Array, field = '', before = noColumns): void {
  const present = writePresence(to, values);
  const digits = digitsOf(present);
  to.integer(digits ?? asFloats);
  if (digits === undefined) writeFloats(to, present);
  else {
    const integers = toIntegers(present, digits);
    writeDecimals(to, { integers, digits, field, before: present === values ? before : noColumns });
  }
}

type Decimals = { integers: Float64Array; digits: number; field: string; before: Columns };

function writeDecimals(to: ByteWriter, { integers, digits, field, before }: Decimals): void {
  let chosen = 0;
  let encoded = encodeIntegers(integers);
  for (const predictor of predictorNumbers) {
    const predicted = predict(predictor, field, before, 10 ** digits, integers.length);
    if (!predicted) continue;
    for (let row = 0; row < predicted.length; row++) predicted[row] = integers[row]! - predicted[row]!;
    const errors = encodeIntegers(predicted);
    if (errors.bits < encoded.bits) [chosen, encoded] = [predictor, errors];
  }
  to.integer(chosen);
  writeEncoded(to, encoded);
}

export function readNumbers(from: ByteReader, length: number, field = '', before = noColumns): Float64Array {
  const { count, spread } = readPresence(from, length);
  const digits = from.integer();
  if (digits === asFloats) return spread(readFloats(from, count));
  const predictor = from.integer();
  const integers = readIntegers(from, count);
  const predicted = predict(predictor, field, before, 10 ** digits, count);
  if (predictor > 0 && !predicted) throw new RangeError(`The chunk has no columns to predict ${field} from.`);
  if (predicted) for (let row = 0; row < count; row++) integers[row]! += predicted[row]!;
  return spread(fromIntegers(integers, digits));
}

/** Writes which values are present, and returns these. */
export function writePresence(to: ByteWriter, values: Float64Array): Float64Array {
  let absent = 0;
  for (let i = 0; i < values.length; i++) if (Number.isNaN(values[i])) absent++;
  to.integer(absent);
  if (absent === 0) return values;
  const bits = to.room(Math.ceil(values.length / 8)).fill(0);
  for (const [i, value] of values.entries()) if (!Number.isNaN(value)) bits[i >> 3]! |= 1 << (i & 7);
  return values.filter((value) => !Number.isNaN(value));
}

/** `spread` puts present values into their rows, and NaN into the others. */
type Presence = { count: number; spread(present: Float64Array): Float64Array };

export function readPresence(from: ByteReader, length: number): Presence {
  const absent = from.integer();
  if (absent > length) throw new RangeError('The chunk has a column with more absent values than rows.');
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

/** Writes numbers that are not short decimals: each byte XOR that of the value before, in planes by significance. */
export function writeFloats(to: ByteWriter, values: Float64Array): void {
  const bytes = new Uint8Array(values.map((value) => value + 0).buffer); // -0 becomes 0
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
    let before = 0;
    for (const [i, byte] of from.block(length).entries()) {
      before ^= byte;
      bytes[i * 8 + plane] = before;
    }
  }
  return values;
}

/** Returns the fewest decimal digits that represent every value exactly, ignoring NaN; undefined when twelve are not enough. */
export function digitsOf(...columns: Float64Array[]): number | undefined {
  let digits = 0;
  // Repeated with the digits found: more of them can be too many for a large number.
  for (let before = -1; before !== digits; ) {
    before = digits;
    for (const values of columns) {
      for (let i = 0; i < values.length; i++) {
        while (!isExact(values[i]!, powers[digits]!)) if (++digits > maxDigits) return undefined;
      }
    }
  }
  return digits;
}

/** Scales decimals to integers; -0 becomes 0. */
export function toIntegers(values: Float64Array, digits: number): Float64Array {
  const power = 10 ** digits;
  const integers = new Float64Array(values.length);
  for (let i = 0; i < values.length; i++) integers[i] = Math.round(values[i]! * power) + 0;
  return integers;
}

function fromIntegers(values: Float64Array, digits: number): Float64Array {
  if (digits === 0) return values;
  const power = powers[digits];
  if (power === undefined) throw new RangeError(`The chunk has a column of ${digits} digits.`);
  for (let i = 0; i < values.length; i++) values[i]! /= power;
  return values;
}

function isExact(value: number, power: number): boolean {
  const whole = Math.round(value * power);
  return (whole / power === value && whole <= largestInteger && whole >= -largestInteger) || Number.isNaN(value);
}
