import { hash } from 'node:crypto';
import { link, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isMissingFile, undefinedIf } from './error-code.ts';
import type { Logger } from './log.ts';

type WriteOptions = {
  /** of the file; 0600 unless set */
  mode?: number;
  /** fails with EEXIST rather than replace a file */
  isNew?: boolean;
};

const lastWrites = new Map<string, Promise<void>>(); // by path: writes of one file are serialized

/** Replaces a file so that, whatever happens meanwhile, it holds either the old content or the new one. */
export async function writeAtomic(path: string, text: string, options: WriteOptions = {}): Promise<void> {
  const before = lastWrites.get(path) ?? Promise.resolve();
  const writing = before.catch(() => {}).then(() => replace(path, text, options)); // its own caller handles its error
  lastWrites.set(path, writing);
  try {
    await writing;
  } finally {
    if (lastWrites.get(path) === writing) lastWrites.delete(path);
  }
}

async function replace(path: string, text: string, { mode = 0o600, isNew = false }: WriteOptions): Promise<void> {
  const temporary = `${path}.tmp`;
  await rm(temporary, { force: true }); // left by a process that died
  try {
    await writeFile(temporary, text, { flag: 'wx', mode, flush: true });
    await (isNew ? link(temporary, path) : rename(temporary, path));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  if (isNew) await rm(temporary);
  await syncPath(dirname(path));
}

/** Removes a file, if there is one, so that it stays removed after a power cut. */
export async function removeFile(path: string): Promise<void> {
  await rm(path, { force: true });
  await syncPath(dirname(path));
}

/** Makes the content of a file, or the names in a folder, survive a power cut. */
export async function syncPath(path: string): Promise<void> {
  await using handle = await open(path, 'r');
  await handle.sync();
}

const checksumOf = (data: unknown): string => hash('sha256', JSON.stringify(data));

/** Writes JSON with a checksum, so that reading it notices damage. */
export async function writeJson(path: string, data: unknown, options: WriteOptions = {}): Promise<void> {
  await writeAtomic(path, `${JSON.stringify({ sha256: checksumOf(data), data }, null, 2)}\n`, options);
}

/** The data that was written or, if the file is damaged, the path it was moved to. */
export type Stored<Data> = { data: Data; damaged?: never } | { data?: never; damaged: string };

/** Reads a file of `writeJson`; undefined if it does not exist. The caller names its type, which the checksum proves. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export async function readJson<Data>(path: string): Promise<Stored<Data> | undefined> {
  const text = await readFile(path, 'utf8').catch(undefinedIf(isMissingFile));
  if (text === undefined) return undefined;
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

/** Moves a damaged file aside, named after the time it was last written. */
async function setAside(path: string): Promise<string> {
  const { mtime } = await stat(path);
  const aside = `${path}.damaged-${mtime.toISOString().replaceAll(/[-:.]/g, '')}`;
  await rename(path, aside);
  await syncPath(dirname(path));
  return aside;
}

/** Reads what `writeJson` wrote; undefined if the file is missing or damaged. Logs damage with this message. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export async function readJsonOrWarn<Data>(
  path: string,
  damagedMessage: string,
  log: Logger,
): Promise<Data | undefined> {
  const stored = await readJson<Data>(path);
  if (stored?.damaged) log.warn({ file: stored.damaged }, damagedMessage);
  return stored?.data;
}
