import { join } from 'node:path';
import { type Manifest, unusable, verifyFiles } from '#lib/backup/manifest.ts';
import { checkDatabase } from '../store/backup.ts';
import { sqliteFile } from '../store/store.ts';

/** Databases may be written to at any moment: they are copied and replaced by SQLite, not byte by byte. */
export const isDatabase = (path: string): boolean => path.endsWith('.db');

/** Reads the whole backup of a platform and compares it with its manifest. */
export async function verifyBackup(folder: string, signal?: AbortSignal): Promise<Manifest> {
  const manifest = await verifyFiles(folder, 'platform', signal);
  if (!manifest.files.some(({ path }) => join(folder, path) === sqliteFile(folder))) {
    throw unusable(folder, 'it holds no database');
  }
  const rows = checkDatabase(sqliteFile(folder));
  for (const { path } of manifest.files.filter(({ path }) => isDatabase(path))) {
    if (join(folder, path) === sqliteFile(folder)) continue;
    for (const [table, count] of Object.entries(checkDatabase(join(folder, path)))) rows[`${path}/${table}`] = count;
  }
  const differing = Object.keys({ ...rows, ...manifest.rows }).filter((table) => rows[table] !== manifest.rows[table]);
  if (differing.length > 0) throw unusable(folder, `the number of rows differs in ${differing.join(', ')}`);
  return manifest;
}
