import type { Readings } from './readings.ts';

const longestNumber = 25; // -1.2345678901234567e-308, and the comma before the next row
const mostDigits = 3;
const powers = [1, 10, 100, 1000];

const codeOf = (character: string): number => character.charCodeAt(0);
const [openBracket, closeBracket, closeBrace] = [codeOf('['), codeOf(']'), codeOf('}')];
const [comma, minus, point, zero] = [codeOf(','), codeOf('-'), codeOf('.'), codeOf('0')];

/**
 * A JSON array of objects, as bytes: the time of each row, and those of its numbers that are finite. Objects that are
 * made only to be written would take several times as long.
 */
export function jsonRows({ at, fields }: Readings, { empty }: { empty: 'kept' | 'dropped' }): Uint8Array<ArrayBuffer> {
  const names = Array.from(fields.keys(), (name) => Buffer.from(`,${JSON.stringify(name)}:`));
  const columns = [...fields.values()];
  const begin = Buffer.from('{"timestamp":');
  const longestRow = names.reduce((bytes, name) => bytes + name.length + longestNumber, begin.length + longestNumber);
  let bytes = scratch.length > longestRow + 2 ? scratch : unwritten(longestRow + scratch.length);
  let length = 0;
  bytes[length++] = openBracket;
  for (let row = 0; row < at.length; row++) {
    if (length + longestRow + 2 > bytes.length) bytes = larger(bytes, length);
    const rowStart = length;
    if (length > 1) bytes[length++] = comma;
    length = writeBytes(bytes, length, begin);
    length = writeInstant(bytes, length, at[row]!);
    const rowHead = length;
    for (let i = 0; i < columns.length; i++) {
      const value = columns[i]![row]!;
      if (!Number.isFinite(value)) continue;
      length = writeBytes(bytes, length, names[i]!);
      length = writeNumber(bytes, length, value);
    }
    if (length === rowHead && empty === 'dropped') length = rowStart;
    else bytes[length++] = closeBrace;
  }
  bytes[length++] = closeBracket;
  return bytes.slice(0, length);
}

// Of its own memory, so that it can be given away to another thread.
const unwritten = (size: number): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.allocUnsafeSlow(size).buffer);

// Where rows are written first: memory that was written before is much quicker to write to, and an answer is copied in no time.
const scratch = unwritten(256 * 1024);

function larger(bytes: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const more = unwritten(bytes.length * 2);
  more.set(bytes.subarray(0, length));
  return more;
}

function writeBytes(to: Uint8Array, place: number, bytes: Uint8Array): number {
  for (let i = 0; i < bytes.length; i++) to[place + i] = bytes[i]!;
  return place + bytes.length;
}

/** As JSON.stringify would: a decimal of up to nine digits is the shortest text of its number, so it can be written as it is. */
function writeNumber(to: Uint8Array, place: number, value: number): number {
  for (let digits = 0; digits <= mostDigits; digits++) {
    const power = powers[digits]!;
    const whole = Math.round(value * power);
    if (whole / power === value && whole < 1e9 && whole > -1e9) return writeDecimal(to, place, whole, digits);
  }
  return writeText(to, place, String(value));
}

function writeText(to: Uint8Array, place: number, text: string): number {
  for (let i = 0; i < text.length; i++) to[place + i] = text.charCodeAt(i);
  return place + text.length;
}

/** Milliseconds are too many for a small integer: what is left of 1e6 of them is written behind their millions. */
function writeInstant(to: Uint8Array, place: number, at: number): number {
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
