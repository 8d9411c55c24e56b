import { setImmediate } from 'node:timers/promises';

/** What becomes of rows without a number. */
export type Empty = 'kept' | 'dropped';

/** Which rows to write: from one on, until they are so many bytes. */
export type RowRange = { empty: Empty; first?: number; maxBytes?: number };

/** `next` is the first row that was not written; the number of rows when all were. */
export type WrittenRows = { bytes: Uint8Array<ArrayBuffer>; next: number };

type Rows = {
  first: number;
  count: number;
  maxBytes: number;
  /** bytes of a row, at most */
  longest: number;
  /** Where the next one begins. */
  writeRow(to: Uint8Array, place: number, row: number): number;
};

// Where rows are written first: memory that was written before is much quicker to write to, and is copied in no time.
const scratch = new Uint8Array(256 * 1024);

/** Rows as bytes. They are written some at a time, so that however many they are, others have their turn between. */
export async function writeRows({ first, count, maxBytes, longest, writeRow }: Rows): Promise<WrittenRows> {
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

/** In memory of their own, so that they can be given away to another thread. */
export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let place = 0;
  for (const piece of pieces) {
    bytes.set(piece, place);
    place += piece.length;
  }
  return bytes;
}
