import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Copies of the whole folder that a restore leaves in it. */
export const safetyCopyPrefix = 'before-restore-';

/** What a restore keeps in the folder while it works. */
export const stagingPrefix = 'restoring-';

// Of a moment, of a restore, of the file system, or of a backup that was copied here by hand.
const leftOut = new RegExp(`^(${safetyCopyPrefix}|${stagingPrefix}|lost\\+found$|manifest\\.json$)`);
const ofAMoment = /(^lock|-wal|-shm|-journal|\.unfinished)$/;

/** Databases may be written to at any moment: they are copied and replaced by SQLite, not byte by byte. */
export const isDatabase = (path: string): boolean => path.endsWith('.db');

/** The files of a data folder beside its database, by their path in it. */
export async function otherFiles(dataDir: string, database: string): Promise<string[]> {
  const found: string[] = [];
  async function walk(folder: string): Promise<void> {
    for (const entry of await readdir(join(dataDir, folder), { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (path === database || leftOut.test(path) || ofAMoment.test(entry.name)) continue;
      if (entry.isDirectory()) await walk(path);
      else if (entry.isFile() || entry.isSymbolicLink()) found.push(path);
    }
  }
  await walk('');
  return found.sort();
}

export type Fingerprint = { size: number; sha256: string };

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
