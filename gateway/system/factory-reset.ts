import { access, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder, writeAtomic } from '#lib/atomic-file.ts';

const marker = 'factory-reset';

/** What a reset leaves: who this gateway is, and the lock of the folder. */
const kept = ['identity', 'lock', marker];

/** From here on the folder is as good as empty: a start finishes what a power cut interrupts. */
export const beginReset = (dataDir: string): Promise<void> =>
  writeAtomic(join(dataDir, marker), 'Everything but the identity is to be deleted.\n');

/** Deletes what a reset that has begun is to delete; true when there was one. */
export async function finishReset(dataDir: string): Promise<boolean> {
  try {
    await access(join(dataDir, marker));
  } catch {
    return false;
  }
  for (const name of await readdir(dataDir)) {
    if (!kept.includes(name)) await rm(join(dataDir, name), { recursive: true, force: true });
  }
  await syncFolder(dataDir);
  await rm(join(dataDir, marker));
  await syncFolder(dataDir);
  return true;
}
