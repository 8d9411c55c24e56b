import { readJsonOrWarn, writeJson } from '#lib/atomic-file.ts';
import type { Logger } from '#lib/log.ts';

const block = 2 ** 18; // numbers reserved by one write; the next start skips the unused ones
const retryMs = 1000;

export type Sequence = Awaited<ReturnType<typeof openSequence>>;

// Every start begins after the last reservation; when the file is lost, at `min`. Samples cannot be stored without a number,
// so `makeRoom` may free reserved disk space.
/** Issues rising numbers below 2^53, each at most once, which are reserved on disk first. */
export async function openSequence(
  path: string,
  min: number,
  log: Logger,
  makeRoom: () => Promise<void> = async () => {},
) {
  const damagedWords = 'the file of sample numbers was damaged and set aside';
  const kept = await readJsonOrWarn<{ reserved: number }>(path, damagedWords, log);
  let next = Math.max(kept?.reserved ?? 0, min);
  let reserved = next;
  let isFailing = false;
  let reserving: Promise<void> | undefined;

  async function reserve(): Promise<void> {
    const wanted = reserved + block;
    try {
      await keep(wanted);
      reserved = wanted;
      if (isFailing) log.info('sample numbers reserved again');
      isFailing = false;
      reserving = undefined;
    } catch (error) {
      if (!isFailing) log.warn({ err: error, left: reserved - next }, 'failed to reserve sample numbers');
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
    /** Returns the first of `count` consecutive numbers; undefined when none could be reserved. */
    take(count = 1): number | undefined {
      if (next + count > reserved - block / 2) reserving ??= reserve();
      if (next + count > reserved) return undefined;
      next += count;
      return next - count;
    },
    /** Waits for a reservation in progress. */
    async settle(): Promise<void> {
      await reserving;
    },
  };
}
