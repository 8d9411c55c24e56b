import { setImmediate } from 'node:timers/promises';

/** What becomes of rows without a number. */
export type Empty = 'kept' | 'dropped';

type Rows = {
  head: string;
  tail: string;
  count: number;
  /** bytes of a row, at most */
  longest: number;
  /** Where the next one begins. */
  writeRow(to: Uint8Array, place: number, row: number): number;
};

// Where rows are written first: memory that was written before is much quicker to write to, and is copied in no time.
const scratch = new Uint8Array(256 * 1024);

/** Rows as bytes. They are written some at a time, so that however many they are, others have their turn between. */
export async function writeRows({ head, tail, count, longest, writeRow }: Rows): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = [Buffer.from(head)];
  const bytes = scratch.length >= longest ? scratch : new Uint8Array(longest);
  for (let row = 0; row < count; ) {
    let length = 0;
    for (; row < count && length + longest <= bytes.length; row++) length = writeRow(bytes, length, row);
    pieces.push(bytes.slice(0, length));
    if (row < count) await setImmediate();
  }
  pieces.push(Buffer.from(tail));
  return joined(pieces);
}

/** In memory of their own, so that they can be given away to another thread. */
function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let place = 0;
  for (const piece of pieces) {
    bytes.set(piece, place);
    place += piece.length;
  }
  return bytes;
}
