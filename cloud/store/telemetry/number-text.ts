/** The most that a number takes: -1.2345678901234567e-308 */
export const longestNumber = 24;

const mostDigits = 3;
const powers = [1, 10, 100, 1000];

const codeOf = (character: string): number => character.charCodeAt(0);
const [minus, point, zero] = [codeOf('-'), codeOf('.'), codeOf('0')];

export function writeBytes(to: Uint8Array, place: number, bytes: Uint8Array): number {
  for (let i = 0; i < bytes.length; i++) to[place + i] = bytes[i]!;
  return place + bytes.length;
}

/** As JSON.stringify would: a decimal of up to nine digits is the shortest text of its number, so it can be written as it is. */
export function writeNumber(to: Uint8Array, place: number, value: number): number {
  for (let digits = 0; digits <= mostDigits; digits++) {
    const power = powers[digits]!;
    const whole = Math.round(value * power);
    if (whole / power === value && whole < 1e9 && whole > -1e9) return writeDecimal(to, place, whole, digits);
  }
  return writeText(to, place, String(value));
}

export function writeText(to: Uint8Array, place: number, text: string): number {
  for (let i = 0; i < text.length; i++) to[place + i] = text.charCodeAt(i);
  return place + text.length;
}

/** Milliseconds are too many for a small integer: what is left of 1e6 of them is written behind their millions. */
export function writeInstant(to: Uint8Array, place: number, at: number): number {
  const millions = Math.floor(at / 1e6);
  if (millions < 1 || millions >= 1e9) return writeText(to, place, String(at));
  const end = writeDecimal(to, place, millions, 0) + 6;
  let rest = at - millions * 1e6;
  if (!Number.isInteger(rest)) return writeText(to, place, String(at));
  for (let i = end - 1; i >= end - 6; i--) {
    const tenth = (rest / 10) | 0;
    to[i] = zero + rest - tenth * 10;
    rest = tenth;
  }
  return end;
}

function writeDecimal(to: Uint8Array, place: number, whole: number, digits: number): number {
  let first = place;
  let rest = whole | 0;
  if (rest < 0) {
    to[first++] = minus;
    rest = -rest;
  }
  let figures = 1;
  for (let bound = 10; rest >= bound; bound *= 10) figures++;
  if (figures <= digits) figures = digits + 1;
  const end = first + figures + (digits > 0 ? 1 : 0);
  let next = end - 1;
  for (let i = 0; i < figures; i++) {
    if (i === digits && digits > 0) to[next--] = point;
    const tenth = (rest / 10) | 0;
    to[next--] = zero + rest - tenth * 10;
    rest = tenth;
  }
  return end;
}
