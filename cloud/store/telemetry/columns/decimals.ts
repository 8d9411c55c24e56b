import { largestInteger } from './integers.ts';

const mostDigits = 12;
const powers = Array.from({ length: mostDigits + 1 }, (_, digits) => 10 ** digits);

/** The fewest digits behind the point that tell each of these exactly, NaN aside; undefined if none are enough. */
export function digitsOf(...columns: Float64Array[]): number | undefined {
  let digits = 0;
  // Again with the digits found: more of them can be too many for a large number.
  for (let before = -1; before !== digits; ) {
    before = digits;
    for (const values of columns) {
      for (let i = 0; i < values.length; i++) {
        while (!isExact(values[i]!, powers[digits]!)) if (++digits > mostDigits) return undefined;
      }
    }
  }
  return digits;
}

// Zero has no sign here: -0 is not the same as 0 to nobody.
export function toIntegers(values: Float64Array, digits: number): Float64Array {
  const power = powers[digits]!;
  const integers = new Float64Array(values.length);
  for (let i = 0; i < values.length; i++) integers[i] = Math.round(values[i]! * power) + 0;
  return integers;
}

export function fromIntegers(values: Float64Array, digits: number): Float64Array {
  if (digits === 0) return values;
  const power = powers[digits]!;
  for (let i = 0; i < values.length; i++) values[i]! /= power;
  return values;
}

function isExact(value: number, power: number): boolean {
  const whole = Math.round(value * power);
  return (whole / power === value && whole <= largestInteger && whole >= -largestInteger) || Number.isNaN(value);
}
