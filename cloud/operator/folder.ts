import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, mkdir, open, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** Copies of the whole folder that a restore leaves in it. */
export const safetyCopyPrefix = 'before-restore-';

/** What a restore keeps in the folder while it works. */
export const stagingPrefix = 'restoring-';

// Of a moment, of a restore, of the file system, or of a backup that was copied here by hand.
const leftOut = new RegExp(`^(${safetyCopyPrefix}|${stagingPrefix}|lost\\+found$|manifest\\.json$)`);
const ofAMoment = /(^lock|-wal|-shm|-journal)$/;

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
  const { through, fingerprint } = fingerprinting();
  const target = createWriteStream(to, { flags: 'wx', mode: 0o600, flush: true });
  await pipeline(createReadStream(from), through, target, signal ? { signal } : {});
  await chmod(to, 0o600);
  return fingerprint();
}

export async function fingerprintOf(file: string, signal?: AbortSignal): Promise<Fingerprint> {
  const { through, fingerprint } = fingerprinting();
  const nowhere = async (source: AsyncIterable<Buffer>): Promise<void> => {
    for await (const _ of source);
  };
  await pipeline(createReadStream(file), through, nowhere, signal ? { signal } : {});
  return fingerprint();
}

function fingerprinting() {
  const sha256 = createHash('sha256');
  let size = 0;
  async function* through(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const bytes of source) {
      sha256.update(bytes);
      size += bytes.length;
      yield bytes;
    }
  }
  return { through, fingerprint: (): Fingerprint => ({ size, sha256: sha256.digest('hex') }) };
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
