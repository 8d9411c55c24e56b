import { access, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { removeFile, syncPath, writeAtomic } from '#lib/atomic-file.ts';
import { lostAndFound } from '#lib/backup/files.ts';
import type { Logger } from '#lib/log.ts';
import { isDeviceFile } from '../devices/device-files.ts';

const marker = 'factory-reset';

/** Kept by a reset, in addition to control markers: identity, folder lock, and files of the file system. */
const kept = ['identity', 'lock', lostAndFound, marker];

/** Marks the folder for deletion; the next start completes a reset that was interrupted. */
export const beginReset = (dataDir: string): Promise<void> =>
  writeAtomic(join(dataDir, marker), 'Everything but the identity is to be deleted.\n');

type ResetParts = {
  dataDir: string;
  removeDevices(): Promise<void>;
  clearBroker(): Promise<void>;
  forgetWifi(): Promise<void>;
  log: Logger;
};

/** Resets the gateway; throws only if it could not begin. The restart deletes the rest, except for Wi-Fi networks. */
export async function resetGateway(parts: ResetParts): Promise<{ isWifiForgotten: boolean }> {
  await beginReset(parts.dataDir);
  const isForgotten = async (what: string, forget: () => Promise<void>): Promise<boolean> => {
    try {
      await forget();
      return true;
    } catch (error) {
      parts.log.warn({ err: error, what }, 'factory reset step failed; continuing');
      return false;
    }
  };
  await isForgotten('devices', parts.removeDevices);
  await isForgotten('broker', parts.clearBroker);
  return { isWifiForgotten: await isForgotten('Wi-Fi', parts.forgetWifi) };
}

/** Completes a reset that has begun; returns whether there was one. */
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
  await removeFile(join(dataDir, marker));
  return true;
}

/** Keeps the markers of devices that could not be released, until the next start has released them. */
async function emptyControl(folder: string): Promise<void> {
  const names = await readdir(folder);
  const others = names.filter((name) => !isDeviceFile(name));
  for (const name of others) await rm(join(folder, name), { recursive: true, force: true });
  await (others.length === names.length ? rm(folder, { recursive: true, force: true }) : syncPath(folder));
}
