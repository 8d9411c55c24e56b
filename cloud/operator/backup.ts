import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Problem } from '#contract/problem.ts';
import { formatTime } from '#contract/time.ts';
import { syncPath } from '#lib/atomic-file.ts';
import { copyAllFiles, copyFile, type Fingerprint, fingerprintOf } from '#lib/backup/files.ts';
import { type Manifest, unusableBackup, verifyFiles, writeManifest } from '#lib/backup/manifest.ts';
import { type CopyDeps, refuseTargetInside, writeNewFolder } from '#lib/backup/new-folder.ts';
import { checkDatabase, copyDatabase, type RowCounts } from '../store/backup.ts';
import { sqliteFile } from '../store/store.ts';

export type BackupOptions = CopyDeps & {
  /** other folders to include, by their name in the backup */
  besides?: Readonly<Record<string, string>>;
  isExcluded?(path: string): boolean;
};

/** Copies a data folder into a new folder and verifies the copy. The platform may be running. */
export async function backupData(dataDir: string, target: string, options: BackupOptions): Promise<Manifest> {
  if (!existsSync(sqliteFile(dataDir))) throw new Problem('not_found', `There is no database in ${dataDir}.`);
  for (const folder of [dataDir, ...Object.values(options.besides ?? {})]) refuseTargetInside(target, folder);
  return writeBackup(dataDir, target, options);
}

export const writeBackup = (dataDir: string, target: string, options: BackupOptions): Promise<Manifest> =>
  writeNewFolder(target, options.signal, async (folder) => {
    const manifest = await fill(folder, dataDir, options);
    await verifyBackup(folder, options.signal);
    return manifest;
  });

async function fill(folder: string, dataDir: string, options: BackupOptions): Promise<Manifest> {
  const { clock, version, signal, onProgress, besides = {}, isExcluded = () => false } = options;
  const database = basename(sqliteFile(folder));
  const created_at = formatTime(clock.now());
  const rows: RowCounts = {};

  async function copyTable(from: string, to: string, prefix: string, isShown: boolean): Promise<Fingerprint> {
    const counts = await copyDatabase(from, to, ({ done, total }) => {
      signal.throwIfAborted();
      if (isShown) onProgress(done / total);
    });
    for (const [table, count] of Object.entries(counts)) rows[`${prefix}${table}`] = count;
    await syncPath(to);
    return fingerprintOf(to, signal);
  }

  const main = await copyTable(sqliteFile(dataDir), join(folder, database), '', true);
  const others = await copyAllFiles(dataDir, folder, {
    copy: (path) => {
      const [from, to] = [join(dataDir, path), join(folder, path)];
      return isDatabase(path) ? copyTable(from, to, `${path}/`, false) : copyFile(from, to, signal);
    },
    isExcluded: (path) => path === database || isExcluded(path),
  });
  const files = [{ path: database, ...main }, ...others];
  for (const [name, from] of Object.entries(besides)) {
    const to = join(folder, name);
    const copies = await copyAllFiles(from, to, { copy: (path) => copyFile(join(from, path), join(to, path), signal) });
    files.push(...copies.map((copy) => ({ ...copy, path: join(name, copy.path) })));
  }
  const manifest: Manifest = { format: 1, of: 'platform', version, created_at, files, rows };
  await writeManifest(folder, manifest);
  return manifest;
}

/** Returns whether a file is a database. Databases may be in use, so SQLite copies and replaces them. */
export const isDatabase = (path: string): boolean => path.endsWith('.db');

/** Reads a whole backup of a platform and compares it with its manifest. */
export async function verifyBackup(folder: string, signal?: AbortSignal): Promise<Manifest> {
  const manifest = await verifyFiles(folder, 'platform', signal);
  if (!manifest.files.some(({ path }) => join(folder, path) === sqliteFile(folder))) {
    throw unusableBackup(folder, 'it holds no database');
  }
  const rows = checkDatabase(sqliteFile(folder));
  for (const { path } of manifest.files.filter(({ path }) => isDatabase(path))) {
    if (join(folder, path) === sqliteFile(folder)) continue;
    for (const [table, count] of Object.entries(checkDatabase(join(folder, path)))) rows[`${path}/${table}`] = count;
  }
  const differing = Object.keys({ ...rows, ...manifest.rows }).filter((table) => rows[table] !== manifest.rows[table]);
  if (differing.length > 0) throw unusableBackup(folder, `the number of rows differs in ${differing.join(', ')}`);
  return manifest;
}
