import { readJsonOrWarn, writeJson } from '#lib/atomic-file.ts';
import type { Logger } from '#lib/log.ts';

const block = 2 ** 18; // numbers set aside by one write; the rest of them is skipped by the next start
const retryMs = 1000;

export type Sequence = {
  /** The first of `count` numbers that follow each other; undefined when none can be set aside. */
  take(count?: number): number | undefined;
  /** Until what is being set aside is. */
  settle(): Promise<void>;
};

/**
 * Numbers below 2^53 that only grow and never come again: what is given out was set aside on disk before, and each start
 * begins after all that was set aside. `least` is where to begin when the file is lost. Nothing is kept without a number, so
 * `makeRoom` may give away what it holds when the disk has no room for them.
 */
export async function openSequence(
  path: string,
  least: number,
  log: Logger,
  makeRoom: () => Promise<void> = async () => {},
): Promise<Sequence> {
  const damagedWords = 'the number of the last sample was damaged and set aside';
  const kept = await readJsonOrWarn<{ reserved: number }>(path, damagedWords, log);
  let next = Math.max(kept?.reserved ?? 0, least);
  let reserved = next;
  let isFailing = false;
  let reserving: Promise<void> | undefined;

  async function reserve(): Promise<void> {
    const wanted = reserved + block;
    try {
      await keep(wanted);
      reserved = wanted;
      if (isFailing) log.info('numbers for samples are set aside again');
      isFailing = false;
      reserving = undefined;
    } catch (error) {
      if (!isFailing) log.warn({ err: error, left: reserved - next }, 'no numbers for samples could be set aside');
      isFailing = true;
      setTimeout(() => {
        reserving = undefined;
      }, retryMs).unref();
    }
  }

  async function keep(wanted: number): Promise<void> {
    try {
      await writeJson(path, { reserved: wanted });
    } catch {
      await makeRoom();
      await writeJson(path, { reserved: wanted });
    }
  }

  await reserve();
  return {
    take(count = 1) {
      if (next + count > reserved - block / 2) reserving ??= reserve();
      if (next + count > reserved) return undefined;
      next += count;
      return next - count;
    },
    async settle() {
      await reserving;
    },
  };
}
