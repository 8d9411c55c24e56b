import { telegramCrc } from './crc16.ts';
import { begun, broken, type Candidate, possible } from './frame.ts';

export const telegramStart = 0x2f; // slash

const lastLine = Buffer.from('\n!');
const carriageReturn = 0x0d;
const lineFeed = 0x0a;
const space = 0x20;
const headerSize = 5;
const maxHeaderSize = 32; // names have 16 characters

type CheckedText = {
  /** position of the exclamation mark */
  mark: number;
  /** false for DSMR 2.2 and 3, which end without a CRC */
  isChecked: boolean;
};

/** How much of an unfinished telegram was already scanned. */
type Progress = { seen: number };

/**
 * Matches `/XXX5ident` (heat and water meters: `/XXX-ident`), an empty line, lines, `!` and a CRC, which may lack leading
 * zeros and the line end.
 */
export function matchTelegram(
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
  const ended = mark === undefined ? undefined : checkCrc(bytes, at, mark, end, isSilent);
  if (ended?.state === 'whole' && ended.isChecked) return ended;

  const fault = findFault(bytes, from, mark ?? end, end, isSilent);
  progress.seen = (fault?.at ?? mark ?? end) - at;
  if (!fault) return ended ?? begun;
  return fault.reason ? broken(progress.seen, fault.reason) : begun;
}

/** Finds the exclamation mark at the start of a line, unless another telegram starts before it. */
function findMark(bytes: Buffer, from: number, end: number, isSilent: boolean): number | undefined {
  const slash = bytes.subarray(from, end).indexOf(telegramStart);
  const mark = indexOfMark(bytes, from, slash < 0 ? end : from + slash);
  if (mark !== undefined || slash < 0 || startsTelegram(bytes, from + slash, end, isSilent) !== false) return mark;
  return indexOfMark(bytes, from + slash, end);
}

function indexOfMark(bytes: Buffer, from: number, to: number): number | undefined {
  const found = bytes.subarray(from - 1, to).indexOf(lastLine);
  return found < 0 ? undefined : from + found;
}

/** Finds the first invalid byte of a telegram; without a reason if more bytes are needed to decide. */
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
    if (byte !== telegramStart) return { at, reason: 'it contains bytes that are not text' };
    const isNext = startsTelegram(bytes, at, end, isSilent);
    if (isNext === undefined) return { at };
    if (isNext) return { at, reason: 'truncated by the next telegram' };
  }
  return undefined;
}

function checkCrc(bytes: Uint8Array, at: number, mark: number, end: number, isSilent: boolean): Candidate<CheckedText> {
  const text = Buffer.from(bytes.subarray(mark + 1, Math.min(mark + 5, end))).toString('latin1');
  const [digits = ''] = /^[0-9A-Fa-f]*/.exec(text) ?? [];
  const after = mark + 1 + digits.length;
  if (digits.length < 4 && after === end && !isSilent) return begun;
  if (digits === '' && after < end && !isLineEnd(bytes[after])) return broken(after - at, 'the CRC is not a number');
  if (digits !== '' && telegramCrc(bytes, at, mark + 1) !== Number.parseInt(digits, 16)) {
    return broken(after - at, 'the CRC is wrong');
  }
  return { state: 'whole', length: after - at, mark, isChecked: digits !== '' };
}

/** Matches a slash, three letters and one more character (usually the digit of the baud rate), as far as received. */
function hasHeader(bytes: Uint8Array, at: number, end: number): boolean {
  const [letter1, letter2, letter3, last] = bytes.subarray(at + 1, Math.min(at + headerSize, end));
  return (
    [letter1, letter2, letter3].every((byte) => byte === undefined || isLetter(byte)) &&
    (last === undefined || (isPrintable(last) && last !== space))
  );
}

/** Returns whether a slash inside a telegram starts the next one: at the start of a line, or before an empty line. */
function startsTelegram(bytes: Uint8Array, at: number, end: number, isSilent: boolean): boolean | undefined {
  if (!hasHeader(bytes, at, end)) return false;
  const unknown = isSilent ? false : undefined;
  if (at + headerSize > end) return unknown;
  if (isLineEnd(bytes[at - 1])) return true;
  const limit = Math.min(at + maxHeaderSize, end);
  const name = bytes.subarray(at + headerSize, limit);
  const length = name.findIndex((byte) => !isPrintable(byte));
  let index = length < 0 ? limit : at + headerSize + length;
  for (const expected of [carriageReturn, lineFeed, carriageReturn, lineFeed]) {
    if (index >= end) return unknown;
    if (bytes[index++] !== expected) return false;
  }
  return true;
}

const isLineEnd = (byte: number | undefined): boolean => byte === lineFeed || byte === carriageReturn;
const isPrintable = (byte: number): boolean => byte >= 0x20 && byte < 0x7f;
const isText = (byte: number): boolean => isPrintable(byte) || isLineEnd(byte) || byte === 0x09;
const isPlain = Uint8Array.from({ length: 256 }, (_, byte) => (isText(byte) && byte !== telegramStart ? 1 : 0));
const isLetter = (byte: number): boolean => (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a;
