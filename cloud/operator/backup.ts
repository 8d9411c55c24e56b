import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { Problem } from '#contract/problem.ts';
import { formatTime } from '#contract/time.ts';
import type { Clock } from '#lib/clock.ts';
import { copyDatabase } from '../store/backup.ts';
import { sqliteFile } from '../store/store.ts';
import { copyFile, fingerprintOf, isDatabase, otherFiles, sync } from './folder.ts';
import { type Manifest, verifyBackup, writeManifest } from './manifest.ts';

export type CopyDeps = {
  clock: Clock;
  version: string;
  signal: AbortSignal;
  /** 0 to 1 */
  onProgress(done: number): void;
};

/** A verified copy of a data folder in a new folder, taken while the platform may run. */
export async function backupData(dataDir: string, target: string, deps: CopyDeps): Promise<Manifest> {
  if (!existsSync(sqliteFile(dataDir))) throw new Problem('not_found', `There is no database in ${dataDir}.`);
  if (!relative(resolve(dataDir), resolve(target)).startsWith('..')) {
    throw new Problem(
      'unprocessable',
      'A backup inside the data folder would be part of the next one; choose another.',
    );
  }
  return writeBackup(dataDir, target, deps);
}

/** Whole or not at all: it appears under its name when it is verified and safe on disk. */
export async function writeBackup(dataDir: string, target: string, deps: CopyDeps): Promise<Manifest> {
  const parent = dirname(resolve(target));
  await refuseUsed(target);
  await mkdir(parent, { recursive: true });
  const unfinished = join(parent, `.${basename(resolve(target))}.${randomBytes(6).toString('hex')}.unfinished`);
  await mkdir(unfinished, { mode: 0o700 });
  try {
    const manifest = await fill(unfinished, dataDir, deps);
    await verifyBackup(unfinished, deps.signal);
    await chmod(unfinished, 0o700);
    for (const folder of new Set(manifest.files.map(({ path }) => dirname(join(unfinished, path))))) await sync(folder);
    deps.signal.throwIfAborted();
    await refuseUsed(target);
    await rename(unfinished, target);
    await sync(parent);
    return manifest;
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
}

async function fill(folder: string, dataDir: string, deps: CopyDeps): Promise<Manifest> {
  const { clock, version, signal, onProgress } = deps;
  const database = sqliteFile(folder);
  const files: Manifest['files'] = [];
  const created_at = formatTime(clock.now());
  const rows = await copyDatabase(sqliteFile(dataDir), database, ({ done, total }) => {
    signal.throwIfAborted();
    onProgress(done / total);
  });
  await sync(database);
  files.push({ path: basename(database), ...(await fingerprintOf(database, signal)) });
  for (const path of await otherFiles(dataDir, basename(database))) {
    const [from, to] = [join(dataDir, path), join(folder, path)];
    if (isDatabase(path)) {
      const counts = await copyDatabase(from, to, () => signal.throwIfAborted());
      for (const [table, count] of Object.entries(counts)) rows[`${path}/${table}`] = count;
      await sync(to);
      files.push({ path, ...(await fingerprintOf(to, signal)) });
    } else {
      files.push({ path, ...(await copyFile(from, to, signal)) });
    }
  }
  const manifest: Manifest = { format: 1, version, created_at, files, rows };
  await writeManifest(folder, manifest);
  return manifest;
}

async function refuseUsed(target: string): Promise<void> {
  const names = await readdir(target).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    if (error.code === 'ENOTDIR') throw new Problem('conflict', `${target} is a file; a folder is wanted.`);
    throw error;
  });
  if (names.length > 0) throw new Problem('conflict', `The folder ${target} is not empty and is left as it is.`);
}
