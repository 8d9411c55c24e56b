import { setImmediate } from 'node:timers/promises';
import type { Readings } from './readings.ts';

const [comma, closeBrace] = [','.charCodeAt(0), '}'.charCodeAt(0)];

/** Writes rows as comma-separated JSON objects of the time and the finite numbers. JSON.stringify would take several times as long. */
export function jsonRows({ at, fields }: Readings, range: RowRange): Promise<WrittenRows> {
  const { empty, first = 0, maxBytes = Number.POSITIVE_INFINITY } = range;
  const names = Array.from(fields.keys(), (name) => Buffer.from(`,${JSON.stringify(name)}:`));
  const columns = [...fields.values()];
  const begin = Buffer.from('{"timestamp":');
  let isFirst = true;
  return writeRows({
    first,
    count: at.length,
    maxBytes,
    longest: names.reduce((bytes, name) => bytes + name.length + longestNumber, begin.length + longestNumber + 2),
    writeRow(bytes, rowStart, row) {
      let length = rowStart;
      if (!isFirst) bytes[length++] = comma;
      length = writeBytes(bytes, length, begin);
      length = writeInstant(bytes, length, at[row]!);
      const rowHead = length;
      for (let i = 0; i < columns.length; i++) {
        const value = columns[i]![row]!;
        if (!Number.isFinite(value)) continue;
        length = writeBytes(bytes, length, names[i]!);
        length = writeNumber(bytes, length, value);
      }
      if (length === rowHead && empty === 'dropped') return rowStart;
      isFirst = false;
      bytes[length++] = closeBrace;
      return length;
    },
  });
}

const newline = '\n'.charCodeAt(0);
const longestTime = '+275760-09-13T00:00:00.000Z'.length;

/** Returns the names of the fields that have a value, sorted. */
export const measuredNames = ({ fields }: Readings): string[] =>
  [...fields].flatMap(([name, column]) => (column.some(Number.isFinite) ? [name] : [])).sort();

export const csvHead = (names: readonly string[]): string => `${['timestamp', ...names.map(quoted)].join(',')}\n`;

/** Writes rows as CSV lines with a column per name; absent values are empty cells. */
export function csvRows({ at, fields }: Readings, names: readonly string[], range: RowRange): Promise<WrittenRows> {
  const { empty, first = 0, maxBytes = Number.POSITIVE_INFINITY } = range;
  const columns = names.map((name) => fields.get(name));
  return writeRows({
    first,
    count: at.length,
    maxBytes,
    longest: longestTime + columns.length * (longestNumber + 1) + 1,
    writeRow(bytes, rowStart, row) {
      let length = writeText(bytes, rowStart, new Date(at[row]!).toISOString());
      let isEmpty = true;
      for (let i = 0; i < columns.length; i++) {
        bytes[length++] = comma;
        const value = columns[i]?.[row] ?? Number.NaN;
        if (!Number.isFinite(value)) continue;
        length = writeNumber(bytes, length, value);
        isEmpty = false;
      }
      if (isEmpty && empty === 'dropped') return rowStart;
      bytes[length++] = newline;
      return length;
    },
  });
}

/** Quotes a field name as RFC 4180 (section 2) requires; devices choose their names freely. */
const quoted = (name: string): string => (/[",\r\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name);

/** What to do with rows without a number. */
export type Empty = 'kept' | 'dropped';

/** The rows to write: from `first` until `maxBytes` are reached. */
export type RowRange = { empty: Empty; first?: number; maxBytes?: number };

/** `next` is the first row that was not written, or the number of rows. */
export type WrittenRows = { bytes: Uint8Array<ArrayBuffer>; next: number };

type Rows = {
  first: number;
  count: number;
  maxBytes: number;
  /** the maximum length of a row in bytes */
  longest: number;
  /** Returns where the next row begins. */
  writeRow(to: Uint8Array, place: number, row: number): number;
};

// Reused for every answer: memory that was written before is much faster to write to, and copying is cheap.
const scratch = new Uint8Array(256 * 1024);

/** Writes rows in portions, and yields to the event loop between them. */
async function writeRows({ first, count, maxBytes, longest, writeRow }: Rows): Promise<WrittenRows> {
  const pieces: Uint8Array[] = [];
  const bytes = scratch.length >= longest ? scratch : new Uint8Array(longest);
  let row = first;
  for (let written = 0; row < count && written < maxBytes; ) {
    let length = 0;
    for (; row < count && length + longest <= bytes.length; row++) length = writeRow(bytes, length, row);
    pieces.push(bytes.slice(0, length));
    written += length;
    if (row < count) await setImmediate();
  }
  return { bytes: joinBytes(pieces), next: row };
}

/** Joins pieces into a buffer of their own, which can be transferred to another thread. */
export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let place = 0;
  for (const piece of pieces) {
    bytes.set(piece, place);
    place += piece.length;
  }
  return bytes;
}

/** The length of the longest number: -1.2345678901234567e-308 */
const longestNumber = 24;

const mostDigits = 3;
const powers = [1, 10, 100, 1000];

const codeOf = (character: string): number => character.charCodeAt(0);
const [minus, point, zero] = [codeOf('-'), codeOf('.'), codeOf('0')];

function writeBytes(to: Uint8Array, place: number, bytes: Uint8Array): number {
  for (let i = 0; i < bytes.length; i++) to[place + i] = bytes[i]!;
  return place + bytes.length;
}

/** Writes a number as JSON.stringify would. A decimal of up to nine digits is already the shortest text of its number. */
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

/** Writes milliseconds, which exceed 32 bits, as millions followed by the remaining six digits. */
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
