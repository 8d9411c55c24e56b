import { begun, broken, type Candidate, possible } from './candidate.ts';
import { telegramCrc } from './crc16.ts';

export const telegramStart = 0x2f; // a slash

const lastLine = Buffer.from('\n!');
const carriageReturn = 0x0d;
const lineFeed = 0x0a;
const space = 0x20;
const headerSize = 5;
const longestHeader = 32; // names have 16 characters

export type CheckedText = {
  /** where the exclamation mark stands */
  mark: number;
  /** DSMR 2.2 and 3 end with the mark alone */
  isChecked: boolean;
};

/** How far an unfinished telegram was looked through, to go on from there. */
export type Progress = { seen: number };

/** `/XXX5ident` (also `/XXX-ident` of heat and water meters), an empty line, lines, `!`, CRC. A CRC may lack leading zeros and a line end behind it. */
export function lookForTelegram(
  bytes: Buffer,
  at: number,
  end: number,
  isSilent: boolean,
  progress: Progress,
): Candidate<CheckedText> {
  if (!hasHeader(bytes, at, end)) return undefined;
  if (at + headerSize > end) return possible;
  const from = at + Math.max(progress.seen, headerSize);
  const mark = findMark(bytes, from, end, isSilent);
  const ended = mark === undefined ? undefined : atMark(bytes, at, mark, end, isSilent);
  if (ended?.state === 'whole' && ended.isChecked) return ended;

  const fault = findFault(bytes, from, mark ?? end, end, isSilent);
  progress.seen = (fault?.at ?? mark ?? end) - at;
  if (!fault) return ended ?? begun;
  return fault.reason ? broken(progress.seen, fault.reason) : begun;
}

/** The exclamation mark that begins a line, as long as no other telegram begins before it. */
function findMark(bytes: Buffer, from: number, end: number, isSilent: boolean): number | undefined {
  const slash = bytes.subarray(from, end).indexOf(telegramStart);
  const mark = indexOfMark(bytes, from, slash < 0 ? end : from + slash);
  if (mark !== undefined || slash < 0 || startsAnew(bytes, from + slash, end, isSilent) !== false) return mark;
  return indexOfMark(bytes, from + slash, end);
}

function indexOfMark(bytes: Buffer, from: number, to: number): number | undefined {
  const found = bytes.subarray(from - 1, to).indexOf(lastLine);
  return found < 0 ? undefined : from + found;
}

/** Where a telegram stops to be one; without a reason where this cannot be told yet. */
function findFault(
  bytes: Uint8Array,
  from: number,
  to: number,
  end: number,
  isSilent: boolean,
): { at: number; reason?: string } | undefined {
  for (let at = from; at < to; at++) {
    const byte = bytes[at]!;
    if (isPlain[byte]) continue;
    if (byte !== telegramStart) return { at, reason: 'this is no text' };
    const isNext = startsAnew(bytes, at, end, isSilent);
    if (isNext === undefined) return { at };
    if (isNext) return { at, reason: 'cut off by the next telegram' };
  }
  return undefined;
}

function atMark(bytes: Uint8Array, at: number, mark: number, end: number, isSilent: boolean): Candidate<CheckedText> {
  let crc = 0;
  let behind = mark + 1;
  for (; behind < end && behind < mark + 5; behind++) {
    const digit = hexDigit(bytes[behind]!);
    if (digit < 0) break;
    crc = crc * 16 + digit;
  }
  const digits = behind - mark - 1;
  if (digits < 4 && behind === end && !isSilent) return begun;
  if (digits === 0 && behind < end && !isLineEnd(bytes[behind]!)) return broken(behind - at, 'the CRC is no number');
  if (digits > 0 && telegramCrc(bytes, at, mark + 1) !== crc) return broken(behind - at, 'the CRC is wrong');
  return { state: 'whole', length: behind - at, mark, isChecked: digits > 0 };
}

/** A slash, three letters and one more character, usually the digit of the baud rate, as far as they are here. */
function hasHeader(bytes: Uint8Array, at: number, end: number): boolean {
  for (let index = 1; index < headerSize && at + index < end; index++) {
    const byte = bytes[at + index]!;
    if (!(index < 4 ? isLetter(byte) : isPrintable(byte) && byte !== space)) return false;
  }
  return true;
}

/** Whether a slash inside a telegram begins the next one: its header has a line to itself, or is followed by an empty one. */
function startsAnew(bytes: Uint8Array, at: number, end: number, isSilent: boolean): boolean | undefined {
  if (!hasHeader(bytes, at, end)) return false;
  const unknown = isSilent ? false : undefined;
  if (at + headerSize > end) return unknown;
  if (isLineEnd(bytes[at - 1]!)) return true;
  let index = at + headerSize;
  while (index < end && index < at + longestHeader && isPrintable(bytes[index]!)) index++;
  for (const expected of [carriageReturn, lineFeed, carriageReturn, lineFeed]) {
    if (index >= end) return unknown;
    if (bytes[index++] !== expected) return false;
  }
  return true;
}

const isLineEnd = (byte: number): boolean => byte === lineFeed || byte === carriageReturn;
const isPrintable = (byte: number): boolean => byte >= 0x20 && byte < 0x7f;
const isText = (byte: number): boolean => isPrintable(byte) || isLineEnd(byte) || byte === 0x09;
const isPlain = Uint8Array.from({ length: 256 }, (_, byte) => (isText(byte) && byte !== telegramStart ? 1 : 0));
const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;
const isLetter = (byte: number): boolean => (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a;

function hexDigit(byte: number): number {
  if (isDigit(byte)) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
