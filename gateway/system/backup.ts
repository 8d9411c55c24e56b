import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '#contract/problem.ts';
import { formatTime } from '#contract/time.ts';
import { syncPath } from '#lib/atomic-file.ts';
import { copyAllFiles, copyFile, lostAndFound, safetyCopyPrefix, stagingPrefix } from '#lib/backup/files.ts';
import { type Manifest, verifyFiles, writeManifest } from '#lib/backup/manifest.ts';
import { type CopyDeps, refuseTargetInside, writeNewFolder } from '#lib/backup/new-folder.ts';
import type { Clock } from '#lib/clock.ts';
import { FolderInUse, type FolderLock, lockFolder } from '#lib/folder-lock.ts';
import { createMarkers } from '../control/control-journal.ts';
import { keyFile } from '../identity/key-file.ts';

/** Whether a folder is the data folder of a gateway that has been started. */
export const isGateway = (dataDir: string): boolean => existsSync(keyFile(dataDir));

/**
 * A verified copy of the data folder of a gateway, which may run: its files are replaced whole or only grow, and a last line
 * that was not finished is passed over by who reads it.
 */
export async function backupGateway(dataDir: string, target: string, deps: CopyDeps): Promise<Manifest> {
  if (!isGateway(dataDir)) throw new Problem('not_found', `There is no gateway in ${dataDir}.`);
  refuseTargetInside(target, dataDir);
  const { clock, version, signal } = deps;
  return writeNewFolder(target, signal, async (folder) => {
    const created_at = formatTime(clock.now());
    const files = await copyAllFiles(dataDir, folder, {
      copy: (path) => copyFile(join(dataDir, path), join(folder, path), signal),
    });
    await writeManifest(folder, { format: 1, of: 'gateway', version, created_at, files, rows: {} });
    return verifyFiles(folder, 'gateway', signal);
  });
}

/** Keeps the gateway from being started meanwhile; refuses one that runs, or that has not let go of its devices. */
export async function holdGateway(dataDir: string): Promise<FolderLock> {
  const lock = lockStopped(dataDir);
  try {
    await refuseUnderControl(dataDir);
    return lock;
  } catch (error) {
    lock.release();
    throw error;
  }
}

function lockStopped(dataDir: string): FolderLock {
  try {
    return lockFolder(dataDir);
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error;
    throw new Problem('conflict', `The gateway of ${dataDir} runs; stop it first.`, {}, { cause: error });
  }
}

export type GatewayFiles = {
  /** the folder that they are in, and their paths in it */
  folder: string;
  paths: readonly string[];
};

export type StagedGateway = AsyncDisposable & {
  /** Makes the files the content of the folder, and tells where what was there is now. Nothing stops it half-way. */
  put(): Promise<string | undefined>;
};

/** Copies files beside the content of a data folder that is held: all that takes long, and changes nothing yet. */
export async function stageGateway(
  { folder, paths }: GatewayFiles,
  dataDir: string,
  { clock, signal }: { clock: Clock; signal: AbortSignal },
): Promise<StagedGateway> {
  const staging = await mkdtemp(join(dataDir, stagingPrefix));
  const discard = (): Promise<void> => rm(staging, { recursive: true, force: true });
  try {
    for (const path of paths) await copyFile(join(folder, path), join(staging, path), signal);
    signal.throwIfAborted();
  } catch (error) {
    await discard();
    throw error;
  }
  return {
    put: () => replaceBy(staging, dataDir, formatTime(clock.now())),
    [Symbol.asyncDispose]: discard,
  };
}

async function replaceBy(staging: string, dataDir: string, time: string): Promise<string | undefined> {
  const isKept = (name: string): boolean =>
    ['lock', lostAndFound].includes(name) || name.startsWith(safetyCopyPrefix) || name.startsWith(stagingPrefix);
  const former = (await readdir(dataDir)).filter((name) => !isKept(name));
  const aside = join(dataDir, `${safetyCopyPrefix}${time.replaceAll(/[:.]/g, '-')}`);
  if (former.length > 0) await mkdir(aside, { mode: 0o700 });
  try {
    for (const name of former) await rename(join(dataDir, name), join(aside, name));
    if (former.length > 0) await syncPath(aside);
    for (const name of await readdir(staging)) await rename(join(staging, name), join(dataDir, name));
    await syncPath(dataDir);
  } catch (cause) {
    const kept = former.length > 0 ? `what was there is in ${aside}` : 'nothing was there before';
    const sentence = `The gateway is partly replaced; ${kept}. ${(cause as Error).message}`;
    throw new Problem('storage_failed', sentence, {}, { cause });
  }
  return former.length > 0 ? aside : undefined;
}

/** What a device was told is known by a marker in the folder alone: without it nobody would let go. */
async function refuseUnderControl(dataDir: string): Promise<void> {
  const folder = join(dataDir, 'control');
  const { markers } = existsSync(folder) ? await createMarkers(folder).load() : { markers: [] };
  if (markers.length === 0) return;
  const devices = markers.map(({ sn }) => sn).join(', ');
  throw new Problem(
    'conflict',
    `The gateway still controls ${devices}; start it once, which lets go, and stop it again.`,
  );
}
