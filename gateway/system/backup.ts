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
import { asError } from '#lib/error-code.ts';
import { FolderInUse, type FolderLock, lockFolder } from '#lib/folder-lock.ts';
import { createMarkers } from '../control/control-journal.ts';
import { keyFile } from '../identity/key-file.ts';

export const isGateway = (dataDir: string): boolean => existsSync(keyFile(dataDir));

/** Makes a verified copy of the data folder of a gateway, which may run: readers skip an unfinished last line. */
export async function backupGateway(dataDir: string, target: string, deps: CopyDeps): Promise<Manifest> {
  if (!isGateway(dataDir)) throw new Problem('not_found', `No gateway found in ${dataDir}.`);
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

/** Locks the gateway so that it cannot start; throws if it is running or still controls devices. */
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
  /** the folder, and paths relative to it */
  folder: string;
  paths: readonly string[];
};

export type StagedGateway = AsyncDisposable & {
  /** Replaces the content of the folder, without interruption; returns where the previous content was moved. */
  put(): Promise<string | undefined>;
};

/** Copies files into a locked data folder, beside its content: the slow part, which changes nothing yet. */
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
    const kept = former.length > 0 ? `the earlier data is in ${aside}` : 'it was empty before';
    const sentence = `The gateway is partly replaced; ${kept}. ${asError(cause).message}`;
    throw new Problem('storage_failed', sentence, {}, { cause });
  }
  return former.length > 0 ? aside : undefined;
}

/** Throws if devices are under control: only markers in this folder allow releasing them. */
async function refuseUnderControl(dataDir: string): Promise<void> {
  const folder = join(dataDir, 'control');
  const { markers } = existsSync(folder) ? await createMarkers(folder).load() : { markers: [] };
  if (markers.length === 0) return;
  const devices = markers.map(({ sn }) => sn).join(', ');
  const remedy = 'start it once, which releases them, and stop it again';
  throw new Problem('conflict', `The gateway still controls ${devices}; ${remedy}.`);
}
