import type { DatabaseSync } from 'node:sqlite';

const keptShare = 1 / 32; // of all pages: what is written next takes them, and the file need not grow
const releasedAtOnce = 128; // pages, for which the writer is held a few ms

/** Gives pages back to the disk that sealing left free, a few at a time. */
export async function releaseFreePages(
  database: DatabaseSync,
  release: (pages: number) => Promise<void>,
): Promise<void> {
  const counts = database.prepare(
    'select page_count as pages, freelist_count as free from pragma_page_count, pragma_freelist_count',
  );
  for (let before = Number.POSITIVE_INFINITY; ; ) {
    const { pages, free } = counts.get() as { pages: number; free: number };
    const excess = Math.floor(free - pages * keptShare);
    if (excess <= 0 || free >= before) return;
    before = free;
    await release(Math.min(excess, releasedAtOnce));
  }
}
