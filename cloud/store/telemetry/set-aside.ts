import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { ByteReader, ByteWriter } from './columns/bytes.ts';
import { maxSetAsideBytes } from './limits.ts';
import type { HotRow } from './readings.ts';
import { tiers, type WriteTables } from './tables.ts';

/** How long before its first reading a chunk may start. */
export const maxEarlyMs = 1000;

type Row = Pick<HotRow, 'at' | 'body'>;

/** The first rows, as many as are set aside together. */
export function firstToSetAside<R extends Row>(rows: readonly R[]): readonly R[] {
  let bytes = 0;
  const end = rows.findIndex(({ body }, i) => {
    bytes += body.length;
    return i > 0 && bytes > maxSetAsideBytes;
  });
  return end < 0 ? rows : rows.slice(0, end);
}

/**
 * Keeps rows of an hour as they came, in a chunk that is as large as their text. History has them as readings, and no means of
 * them.
 */
export async function putAside(tables: WriteTables, der: number, rows: readonly Row[]): Promise<number> {
  const to = new ByteWriter();
  to.integer(rows.length);
  for (const { at, body } of rows) {
    to.integer(at);
    to.string(body);
  }
  const body = zstdCompressSync(to.done());
  const first = rows[0]!.at;
  const before = { tier: tiers.setAside, from: first - maxEarlyMs, to: first + 1 };
  const taken = new Set((await tables.chunkSizes(der, [before])).map(({ start }) => start));
  let start = first;
  while (taken.has(start) && start > before.from) start--; // another chunk may begin with a reading of the same instant
  await tables.putChunk(der, { tier: tiers.setAside, start, body });
  return body.length;
}

export function rowsSetAside(body: Uint8Array): Row[] {
  const from = new ByteReader(zstdDecompressSync(body));
  return Array.from({ length: from.integer() }, () => ({ at: from.integer(), body: from.string() }));
}
