import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { Problem } from '#contract/problem.ts';
import type { Clock } from '../clock.ts';
import { sync } from './files.ts';
import type { Manifest } from './manifest.ts';

export type CopyDeps = {
  clock: Clock;
  version: string;
  signal: AbortSignal;
  /** 0 to 1 */
  onProgress(done: number): void;
};

/** Whole or not at all: it appears under its name when `fill` has filled and verified it, and it is safe on disk. */
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
    for (const folder of new Set(manifest.files.map(({ path }) => dirname(join(unfinished, path))))) await sync(folder);
    signal.throwIfAborted();
    await refuseUsed(target);
    await rename(unfinished, target);
    await sync(parent);
    return manifest;
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
}

/** A backup in a folder that it copies would be part of the next one. */
export function refuseInside(target: string, dataDir: string): void {
  if (relative(resolve(dataDir), resolve(target)).startsWith('..')) return;
  throw new Problem('unprocessable', 'A backup inside the data folder would be part of the next one; choose another.');
}

async function refuseUsed(target: string): Promise<void> {
  const names = await readdir(target).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    if (error.code === 'ENOTDIR') throw new Problem('conflict', `${target} is a file; a folder is wanted.`);
    throw error;
  });
  if (names.length > 0) throw new Problem('conflict', `The folder ${target} is not empty and is left as it is.`);
}
