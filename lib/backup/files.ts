import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { lstat, mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Problem } from '#contract/problem.ts';
import { errorCode } from '../error-code.ts';

/** Prefix of the folder in which a restore keeps the replaced data. */
export const safetyCopyPrefix = 'before-restore-';

/** Prefix of the folder in which a restore prepares the new data. */
export const stagingPrefix = 'restoring-';

/** A folder at the top of a file system that only root can read. */
export const lostAndFound = 'lost+found';

// Files of a restore, temporary files, and files that are recreated when missing.
const excluded = new RegExp(
  `^(${safetyCopyPrefix}|${stagingPrefix})|^(lock|cache)$|(-wal|-shm|-journal|\\.unfinished|\\.tmp)$`,
);
const excludedAtTop = [lostAndFound, 'manifest.json']; // a backup that was copied here by hand has a manifest

/** Lists the files of a data folder by their path in it, sorted, without temporary ones. */
export async function listFiles(folder: string): Promise<string[]> {
  const found: string[] = [];
  async function walk(inside: string): Promise<void> {
    const entries = await readdir(join(folder, inside), { withFileTypes: true }).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT' && inside !== '') return []; // deleted since it was listed
        throw error;
      },
    );
    for (const entry of entries) {
      const path = join(inside, entry.name);
      if (excluded.test(entry.name) || excludedAtTop.includes(path)) continue;
      if (entry.isDirectory()) await walk(path);
      else if (entry.isFile() || entry.isSymbolicLink()) found.push(path);
    }
  }
  await walk('');
  return found.sort();
}

export type Fingerprint = { size: number; sha256: string };

export type FileCopy = Fingerprint & { path: string };

const maxPasses = 20;

/** Copies a folder in use. When a file disappears, lists the folder again: its content may now be in another file. */
export async function copyAllFiles(
  from: string,
  to: string,
  { copy, isExcluded = () => false }: { copy(path: string): Promise<Fingerprint>; isExcluded?(path: string): boolean },
): Promise<FileCopy[]> {
  const copies = new Map<string, FileCopy>();
  for (let pass = 0; pass < maxPasses; pass++) {
    let hasDisappeared = false;
    for (const path of await listFiles(from)) {
      if (copies.has(path) || isExcluded(path)) continue;
      try {
        copies.set(path, { path, ...(await copy(path)) });
      } catch (error) {
        if (errorCode(error) !== 'ENOENT' || (await isThere(join(from, path)))) throw error;
        hasDisappeared = true;
        await rm(join(to, path), { force: true });
      }
    }
    if (!hasDisappeared) return [...copies.values()];
  }
  throw new Problem(
    'conflict',
    `The files in ${from} change too fast to be copied; stop the program that writes them and try again.`,
  );
}

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

/** Copies a file into a new one that only its owner can read. It is safe on disk when this returns. */
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

function createReader(file: string, signal: AbortSignal | undefined) {
  const sha256 = createHash('sha256');
  let size = 0;
  async function* bytes(): AsyncGenerator<Buffer> {
    const chunks: AsyncIterable<Buffer> = createReadStream(file, { highWaterMark: 1 << 20, ...(signal && { signal }) });
    for await (const chunk of chunks) {
      sha256.update(chunk);
      size += chunk.length;
      yield chunk;
    }
  }
  return { bytes, fingerprint: (): Fingerprint => ({ size, sha256: sha256.digest('hex') }) };
}
