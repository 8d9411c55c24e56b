import { hash } from 'node:crypto';
import { link, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Logger } from './log.ts';

type WriteOptions = {
  /** of the file; others than its owner see nothing unless told */
  mode?: number;
  /** fail with EEXIST rather than replace a file */
  isNew?: boolean;
};

const last = new Map<string, Promise<void>>(); // by path: writes of one file happen one after the other

/** Whatever happens meanwhile, the file holds all of what it held before or all of the text. */
export async function writeAtomic(path: string, text: string, options: WriteOptions = {}): Promise<void> {
  const before = last.get(path) ?? Promise.resolve();
  const writing = before.catch(() => {}).then(() => replace(path, text, options)); // who wrote before was told
  last.set(path, writing);
  try {
    await writing;
  } finally {
    if (last.get(path) === writing) last.delete(path);
  }
}

async function replace(path: string, text: string, { mode = 0o600, isNew = false }: WriteOptions): Promise<void> {
  const beside = `${path}.tmp`;
  await rm(beside, { force: true }); // left by a process that died
  try {
    const file = await open(beside, 'wx', mode);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await (isNew ? link(beside, path) : rename(beside, path));
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
  if (isNew) await rm(beside);
  await syncFolder(dirname(path));
}

/** Until then a power cut may take the new name back. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

const checksumOf = (data: unknown): string => hash('sha256', JSON.stringify(data));

/** Data that tells when it was damaged. */
export async function writeJson(path: string, data: unknown, options: WriteOptions = {}): Promise<void> {
  await writeAtomic(path, `${JSON.stringify({ sha256: checksumOf(data), data }, null, 2)}\n`, options);
}

/** What was written; or, when it is no longer that, where it was set aside. */
export type Stored<Data> = { data: Data; damaged?: never } | { data?: never; damaged: string };

/** Undefined when there is no such file. The checksum says that it is what we wrote, and the caller knows what that was. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export async function readJson<Data>(path: string): Promise<Stored<Data> | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const envelope = parse(text);
  if (envelope?.data !== undefined && envelope.sha256 === checksumOf(envelope.data)) {
    return { data: envelope.data as Data };
  }
  return { damaged: await setAside(path) };
}

function parse(text: string): { sha256?: unknown; data?: unknown } | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Named after the time it was last written. */
async function setAside(path: string): Promise<string> {
  const { mtime } = await stat(path);
  const aside = `${path}.damaged-${mtime.toISOString().replaceAll(/[-:.]/g, '')}`;
  await rename(path, aside);
  await syncFolder(dirname(path));
  return aside;
}

/** What `writeJson` wrote; undefined when there is no file, and when it was damaged, which is logged with these words. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export async function readKept<Data>(path: string, damagedWords: string, log: Logger): Promise<Data | undefined> {
  const stored = await readJson<Data>(path);
  if (stored?.damaged) log.warn({ file: stored.damaged }, damagedWords);
  return stored?.data;
}
