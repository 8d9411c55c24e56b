import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { Problem } from '#contract/problem.ts';
import { syncPath } from '../atomic-file.ts';
import type { Clock } from '../clock.ts';
import type { Manifest } from './manifest.ts';

export type CopyDeps = {
  clock: Clock;
  version: string;
  signal: AbortSignal;
  /** 0 to 1 */
  onProgress(done: number): void;
};

/** Creates a folder that appears under its name only when `fill` has filled and verified it and it is safe on disk. */
export async function writeNewFolder(
  target: string,
  signal: AbortSignal,
  fill: (folder: string) => Promise<Manifest>,
): Promise<Manifest> {
  const parent = dirname(resolve(target));
  await refuseUsed(target);
  await mkdir(parent, { recursive: true });
  const unfinished = join(parent, `.${basename(resolve(target))}.${randomBytes(6).toString('hex')}.unfinished`);
  await mkdir(unfinished, { mode: 0o700 });
  try {
    const manifest = await fill(unfinished);
    await chmod(unfinished, 0o700);
    for (const folder of new Set(manifest.files.map(({ path }) => dirname(join(unfinished, path)))))
      await syncPath(folder);
    signal.throwIfAborted();
    await refuseUsed(target);
    await rename(unfinished, target);
    await syncPath(parent);
    return manifest;
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
}

/** Throws if a backup would be written into the folder it copies. */
export function refuseTargetInside(target: string, dataDir: string): void {
  if (relative(resolve(dataDir), resolve(target)).startsWith('..')) return;
  throw new Problem(
    'unprocessable',
    'A backup inside the data folder would be part of the next backup; choose another folder.',
  );
}

async function refuseUsed(target: string): Promise<void> {
  const names = await readdir(target).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    if (error.code === 'ENOTDIR') throw new Problem('conflict', `${target} is a file; expected a folder.`);
    throw error;
  });
  if (names.length > 0) throw new Problem('conflict', `The folder ${target} is not empty; nothing was written.`);
}
