import { setImmediate } from 'node:timers/promises';
import { csvCell } from '#contract/csv.ts';
import type { Readings } from './readings.ts';

const codeOf = (character: string): number => character.charCodeAt(0);
const [comma, closeBrace, newline] = [codeOf(','), codeOf('}'), codeOf('\n')];
const [minus, point, zero] = [codeOf('-'), codeOf('.'), codeOf('0')];

/** Whether rows without a number are written. */
export type Empty = 'kept' | 'dropped';

/** The rows to write: from `first` until `maxBytes` are reached. */
export type RowRange = { empty: Empty; first?: number; maxBytes?: number };

/** `next` is the first row that was not written, or the number of rows. */
export type WrittenRows = { bytes: Uint8Array<ArrayBuffer>; next: number };

/** Writes rows as comma-separated JSON objects of the time and the finite numbers. JSON.stringify would take several times as long. */
export const jsonRows = ({ at, fields }: Readings, range: RowRange): Promise<WrittenRows> =>
  writeRows(
    'json',
    at,
    Array.from(fields, ([name, column]) => ({ before: Buffer.from(`,${JSON.stringify(name)}:`), column })),
    range,
  );

/** Returns the names of the fields that have a value, sorted. */
export const measuredNames = ({ fields }: Readings): string[] =>
  [...fields].flatMap(([name, column]) => (column.some(Number.isFinite) ? [name] : [])).sort();

/** Devices choose the names of their fields freely. */
export const csvHead = (names: readonly string[]): string => `${['timestamp', ...names.map(csvCell)].join(',')}\n`;

/** Writes rows as CSV lines with a column per name; absent values are empty cells. */
export const csvRows = ({ at, fields }: Readings, names: readonly string[], range: RowRange): Promise<WrittenRows> =>
  writeRows(
    'csv',
    at,
    names.map((name) => ({ before: Uint8Array.of(comma), column: fields.get(name) })),
    range,
  );

/** A column, and the bytes that precede each of its values. */
type Cells = { before: Uint8Array; column: Float64Array | undefined };

const jsonHead = Buffer.from('{"timestamp":');
const longestTime = '+275760-09-13T00:00:00.000Z'.length;
const longestNumber = '-1.2345678901234567e-308'.length;

// Reused for every answer: memory that was written before is much faster to write to, and copying is cheap.
const scratch = new Uint8Array(256 * 1024);

/** Writes rows in portions, and yields to the event loop between them. */
async function writeRows(
  format: 'json' | 'csv',
  at: Float64Array,
  cells: readonly Cells[],
  { empty, first = 0, maxBytes = Number.POSITIVE_INFINITY }: RowRange,
): Promise<WrittenRows> {
  const isCsv = format === 'csv';
  const longest = cells.reduce(
    (bytes, { before }) => bytes + before.length + longestNumber,
    jsonHead.length + longestTime + 2,
  );
  const bytes = scratch.length >= longest ? scratch : new Uint8Array(longest);
  let isFirst = true;

  /** Returns where the next row begins. */
  function writeRow(rowStart: number, row: number): number {
    const instant = at[row]!;
    let length = rowStart;
    if (isCsv) length = writeText(bytes, length, new Date(instant).toISOString());
    else {
      if (!isFirst) bytes[length++] = comma;
      length = writeInstant(bytes, writeBytes(bytes, length, jsonHead), instant);
    }
    let isEmpty = true;
    for (let i = 0; i < cells.length; i++) {
      const { before, column } = cells[i]!;
      const value = column?.[row] ?? Number.NaN;
      const isAbsent = !Number.isFinite(value);
      if (isCsv || !isAbsent) length = writeBytes(bytes, length, before);
      if (isAbsent) continue;
      length = writeNumber(bytes, length, value);
      isEmpty = false;
    }
    if (isEmpty && empty === 'dropped') return rowStart;
    isFirst = false;
    bytes[length++] = isCsv ? newline : closeBrace;
    return length;
  }

  const pieces: Uint8Array[] = [];
  let row = first;
  for (let written = 0; row < at.length && written < maxBytes; ) {
    let length = 0;
    for (; row < at.length && length + longest <= bytes.length; row++) length = writeRow(length, row);
    pieces.push(bytes.slice(0, length));
    written += length;
    if (row < at.length) await setImmediate();
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

const maxDigits = 3;

function writeBytes(to: Uint8Array, place: number, bytes: Uint8Array): number {
  for (let i = 0; i < bytes.length; i++) to[place + i] = bytes[i]!;
  return place + bytes.length;
}

/** Writes a number as JSON.stringify would. A decimal of up to nine digits is already the shortest text of its number. */
function writeNumber(to: Uint8Array, place: number, value: number): number {
  for (let digits = 0, power = 1; digits <= maxDigits; digits++, power *= 10) {
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
