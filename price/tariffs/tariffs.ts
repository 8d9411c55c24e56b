import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '#contract/problem.ts';
import { minuteMs } from '#contract/time.ts';
import type { Clock } from '#lib/clock.ts';
import { ConfigError } from '#lib/config.ts';
import { asError, errorCode, isMissingFile, undefinedIf } from '#lib/error-code.ts';
import { createSchedule } from '#lib/every.ts';
import type { Logger } from '#lib/log.ts';
import { fileProblem } from './eltariff.ts';
import { mergeLists } from './merge-lists.ts';
import { readProviderFile, type TariffProvider } from './provider.ts';
import { createBook, type TariffBook } from './tariff-book.ts';
import { stateFile } from './update-state.ts';

const rescanMs = minuteMs;
const maxBytes = 5_000_000; // a hundred times the largest known file

export const shippedTariffs = join(import.meta.dirname, '../data/tariffs');

export type FileError = { file: string; message: string };

export type TariffOptions = {
  folder: string;
  /** files here replace shipped files of the same name; it may be missing */
  ownFolder?: string;
  /** lists of operators' interfaces, which add to the shipped ones; it may be missing */
  updatesFolder?: string;
  clock: Clock;
  log: Logger;
};

/** State of a file: its version on disk, its last valid content, and its current error. */
type FileState = { version: string; provider?: TariffProvider; message?: string };

export type Tariffs = ReturnType<typeof openTariffs>;

export function openTariffs({ folder, ownFolder, updatesFolder, clock, log }: TariffOptions) {
  let files = new Map<string, FileState>(); // by the name of the file
  let updates = new Map<string, FileState>();
  let book = createBook([]);
  let errors: FileError[] = [];
  let isOwnMissing = false;
  let scannedAt = 0;
  const schedule = createSchedule(log, [rescanMs, scan, 'reading tariffs']);

  async function scan(): Promise<void> {
    if (ownFolder) reportMissingFolder(!existsSync(ownFolder));
    const shipped = new Set(await namesIn(folder));
    const own = new Set(ownFolder ? await ownNamesIn(ownFolder) : []);
    const names = [...new Set([...shipped, ...own])].sort();
    const readOne = async (name: string): Promise<FileState> => {
      const shippedPath = join(folder, name);
      const isOwn = ownFolder && own.has(name);
      const state = await readState(isOwn ? join(ownFolder, name) : shippedPath, files.get(name));
      const isReplaced = isOwn && !state.provider && shipped.has(name); // it was never valid
      const { provider } = isReplaced ? await readState(shippedPath, undefined) : state;
      return { ...state, ...(provider && { provider }) };
    };
    const states = await Promise.all(names.map(readOne));
    const found = new Map(names.map((name, n) => [name, states[n]!]));
    const published = await readUpdates();
    const providers = withUpdates(uniqueProviders(found), published, own);
    reportChanges(files, found);
    reportChanges(updates, published);
    files = found;
    updates = published;
    errors = [...found, ...published].flatMap(([file, { message }]) => (message ? [{ file, message }] : []));
    book = createBook(providers);
    scannedAt = clock.now();
  }

  async function readUpdates(): Promise<Map<string, FileState>> {
    const found = new Map<string, FileState>();
    if (!updatesFolder) return found;
    const names = (await namesIn(updatesFolder).catch(undefinedIf(isMissingFile))) ?? [];
    for (const name of names.filter((each) => each !== stateFile).sort()) {
      const file = `updates/${name}`;
      found.set(file, await readState(join(updatesFolder, name), updates.get(file)));
    }
    return found;
  }

  function reportMissingFolder(isMissing: boolean): void {
    if (isMissing && !isOwnMissing) log.warn({ folder: ownFolder }, 'tariff folder (TARIFF_DIR) is missing');
    else if (isOwnMissing && !isMissing) log.info({ folder: ownFolder }, 'tariff folder (TARIFF_DIR) found');
    isOwnMissing = isMissing;
  }

  function reportChanges(before: Map<string, FileState>, now: Map<string, FileState>): void {
    for (const [file, { message }] of now) {
      const earlier = before.get(file)?.message;
      if (message && message !== earlier) log.warn({ file, reason: message }, 'tariff file rejected');
      else if (earlier && !message) log.info({ file }, 'tariff file is valid again');
    }
  }

  return {
    /** Returns the latest snapshot; use one snapshot per request. */
    book: (): TariffBook => book,
    errors: (): readonly FileError[] => errors,
    fileCount: (): number => files.size,
    updateCount: (): number => updates.size,
    scannedAt: (): number => scannedAt,
    scan,
    /** Reads all files, then checks for changes every minute. */
    async start(): Promise<void> {
      await scan();
      log.info({ providers: book.providers.length, refused: errors.length }, 'tariffs read');
      schedule.start();
    },
    close: schedule.stop,
  };
}

const namesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter((name) => name.endsWith('.json') && !name.startsWith('.'));

async function ownNamesIn(folder: string): Promise<string[]> {
  try {
    return await namesIn(folder);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw new ConfigError(`TARIFF_DIR must be a folder that can be read: ${asError(error).message}.`, { cause: error });
  }
}

/** Reads a file if it changed. An invalid file keeps its last valid content. */
async function readState(path: string, known: FileState | undefined): Promise<FileState> {
  const before = known?.provider && { provider: known.provider };
  try {
    const file = await stat(path, { bigint: true });
    const { mtimeNs, size, ino } = file;
    if (!file.isFile()) throw fileProblem([{ path: 'file', message: 'is not a regular file' }]); // reading a pipe would not end
    if (size > maxBytes) throw fileProblem([{ path: 'file', message: `has more than ${maxBytes} bytes` }]);
    const version = `${path} ${ino} ${size} ${mtimeNs}`;
    if (known?.version === version) return known;
    return { version, provider: readProviderFile(path, await readFile(path, 'utf8')) };
  } catch (error) {
    if (!(error instanceof Error && (error instanceof Problem || errorCode(error)))) throw error; // a bug
    return { version: 'unread', ...before, message: error.message };
  }
}

/** Adds the lists that operators published; the operator's own files are left as they are. */
function withUpdates(
  providers: TariffProvider[],
  updates: Map<string, FileState>,
  own: ReadonlySet<string>,
): TariffProvider[] {
  const all = new Map(providers.map((provider) => [provider.id, provider]));
  const owners = new Map(
    providers.flatMap(({ id, tariffs }) => tariffs.map((tariff) => [tariff.id.toLowerCase(), id])),
  );
  for (const [file, state] of updates) {
    const { provider: update } = state;
    if (!update || own.has(`${update.id}.json`)) continue;
    const taken = update.tariffs.find(({ id }) => (owners.get(id.toLowerCase()) ?? update.id) !== update.id);
    if (taken) {
      updates.set(file, { ...state, version: 'left out', message: `${taken.id} belongs to another operator.` });
      continue;
    }
    const known = all.get(update.id);
    all.set(update.id, known ? mergeLists(known, update) : update);
    for (const { id } of update.tariffs) owners.set(id.toLowerCase(), update.id);
  }
  return [...all.values()];
}

/** Returns the providers; leaves out a file that repeats the provider or tariff id of another, and records the error. */
function uniqueProviders(files: Map<string, FileState>): TariffProvider[] {
  const owners = new Map<string, string>(); // of ids of providers and tariffs, by the name of the file
  const providers: TariffProvider[] = [];
  for (const [file, known] of files) {
    if (!known.provider) continue;
    const ids = [known.provider.id, ...known.provider.tariffs.map(({ id }) => id.toLowerCase())];
    const taken = ids.find((id) => owners.has(id));
    if (taken) {
      files.set(file, { ...known, version: 'left out', message: `${taken} is also in ${owners.get(taken)}.` });
      continue;
    }
    for (const id of ids) owners.set(id, file);
    providers.push(known.provider);
  }
  return providers;
}
