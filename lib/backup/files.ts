import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { lstat, mkdir, open, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Problem } from '#contract/problem.ts';

/** What a restore leaves in a data folder of what was there. */
export const safetyCopyPrefix = 'before-restore-';

/** What a restore keeps in the folder while it works. */
export const stagingPrefix = 'restoring-';

/** What a file system has at its top, for root alone. */
export const lostAndFound = 'lost+found';

// Of a restore, of a moment, or made anew when it is missing.
const leftOut = new RegExp(
  `^(${safetyCopyPrefix}|${stagingPrefix})|^(lock|cache)$|(-wal|-shm|-journal|\\.unfinished|\\.tmp)$`,
);
const leftOutOnTop = [lostAndFound, 'manifest.json']; // the latter of a backup that was copied here by hand

/** The files of a data folder by their path in it, sorted, without those of a moment. */
export async function listFiles(folder: string): Promise<string[]> {
  const found: string[] = [];
  async function walk(inside: string): Promise<void> {
    const entries = await readdir(join(folder, inside), { withFileTypes: true }).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT' && inside !== '') return []; // gone since it was seen
        throw error;
      },
    );
    for (const entry of entries) {
      const path = join(inside, entry.name);
      if (leftOut.test(entry.name) || leftOutOnTop.includes(path)) continue;
      if (entry.isDirectory()) await walk(path);
      else if (entry.isFile() || entry.isSymbolicLink()) found.push(path);
    }
  }
  await walk('');
  return found.sort();
}

export type Fingerprint = { size: number; sha256: string };

export type FileCopy = Fingerprint & { path: string };

const mostPasses = 20;

/**
 * Copies every file of a folder that may be in use. Where one goes while it is to be copied, the folder is looked through
 * again: what it held may stand in another now.
 */
export async function copyFiles(
  from: string,
  to: string,
  { copy, isLeftOut = () => false }: { copy(path: string): Promise<Fingerprint>; isLeftOut?(path: string): boolean },
): Promise<FileCopy[]> {
  const copies = new Map<string, FileCopy>();
  for (let pass = 0; pass < mostPasses; pass++) {
    let hasGone = false;
    for (const path of await listFiles(from)) {
      if (copies.has(path) || isLeftOut(path)) continue;
      try {
        copies.set(path, { path, ...(await copy(path)) });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || (await isThere(join(from, path)))) throw error;
        hasGone = true;
        await rm(join(to, path), { force: true });
      }
    }
    if (!hasGone) return [...copies.values()];
  }
  throw new Problem(
    'conflict',
    `The files of ${from} change too fast to be copied; stop what writes them, and try again.`,
  );
}

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

/** Copies a file into a new one that only its owner reads, safe on disk when it returns. */
export async function copyFile(from: string, to: string, signal?: AbortSignal): Promise<Fingerprint> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  const reader = createReader(from, signal);
  await pipeline(reader.bytes, createWriteStream(to, { flags: 'wx', mode: 0o600, flush: true }));
  return reader.fingerprint();
}

export async function fingerprintOf(file: string, signal?: AbortSignal): Promise<Fingerprint> {
  const reader = createReader(file, signal);
  await pipeline(reader.bytes, new Writable({ write: (_bytes, _encoding, next) => next() }));
  return reader.fingerprint();
}

/** The bytes of a file, and the fingerprint of those that were read. */
function createReader(file: string, signal: AbortSignal | undefined) {
  const sha256 = createHash('sha256');
  let size = 0;
  async function* bytes(): AsyncGenerator<Buffer> {
    for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20, ...(signal && { signal }) })) {
      sha256.update(chunk as Buffer);
      size += (chunk as Buffer).length;
      yield chunk as Buffer;
    }
  }
  return { bytes, fingerprint: (): Fingerprint => ({ size, sha256: sha256.digest('hex') }) };
}

/** Makes the content of a file, or the names in a folder, survive a power cut. */
export async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
