import { access, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { syncPath, writeAtomic } from '#lib/atomic-file.ts';
import { lostAndFound } from '#lib/backup/files.ts';
import type { Logger } from '#lib/log.ts';
import { isDeviceFile } from '../devices/device-files.ts';

const marker = 'factory-reset';

/** What a reset leaves besides markers of control: who this gateway is, the lock of the folder, what is of the file system. */
const kept = ['identity', 'lock', lostAndFound, marker];

/** From here on the folder is as good as empty: a start finishes what a power cut interrupts. */
export const beginReset = (dataDir: string): Promise<void> =>
  writeAtomic(join(dataDir, marker), 'Everything but the identity is to be deleted.\n');

type ResetParts = {
  dataDir: string;
  removeDevices(): Promise<void>;
  clearBroker(): Promise<void>;
  forgetWifi(): Promise<void>;
  log: Logger;
};

/**
 * Throws only when it has not begun. From then on it is carried through: what cannot be deleted here the restart deletes,
 * but for Wi-Fi, which the system keeps.
 */
export async function resetGateway(parts: ResetParts): Promise<{ isWifiForgotten: boolean }> {
  await beginReset(parts.dataDir);
  const isForgotten = async (what: string, forget: () => Promise<void>): Promise<boolean> => {
    try {
      await forget();
      return true;
    } catch (error) {
      parts.log.warn({ err: error, what }, 'a factory reset goes on although not all could be forgotten');
      return false;
    }
  };
  await isForgotten('devices', parts.removeDevices);
  await isForgotten('broker', parts.clearBroker);
  return { isWifiForgotten: await isForgotten('Wi-Fi', parts.forgetWifi) };
}

/** Deletes what a reset that has begun is to delete; true when there was one. */
export async function finishReset(dataDir: string): Promise<boolean> {
  try {
    await access(join(dataDir, marker));
  } catch {
    return false;
  }
  for (const name of await readdir(dataDir)) {
    if (name === 'control') await emptyControl(join(dataDir, name));
    else if (!kept.includes(name)) await rm(join(dataDir, name), { recursive: true, force: true });
  }
  await syncPath(dataDir);
  await rm(join(dataDir, marker));
  await syncPath(dataDir);
  return true;
}

/**
 * A device that could not be released is known by its marker alone: how it is reached stays until the next start has
 * released it, the password of its own broker included.
 */
async function emptyControl(folder: string): Promise<void> {
  const names = await readdir(folder);
  const others = names.filter((name) => !isDeviceFile(name));
  for (const name of others) await rm(join(folder, name), { recursive: true, force: true });
  await (others.length === names.length ? rm(folder, { recursive: true, force: true }) : syncPath(folder));
}
