import { lstat, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Static, Type } from 'typebox';
import { Check } from 'typebox/value';
import { Problem } from '#contract/problem.ts';
import { checkDatabase } from '../store/backup.ts';
import { sqliteFile } from '../store/store.ts';
import { fingerprintOf, isDatabase } from './folder.ts';

/** What a backup holds, so that it can be proven whole. */
export const Manifest = Type.Object({
  format: Type.Literal(1),
  version: Type.String({ description: 'of the program that made it' }),
  created_at: Type.String({ format: 'date-time' }),
  files: Type.Array(
    Type.Object({
      path: Type.String({ pattern: '^(?!/)(?![^]*(^|/)\\.\\.(/|$))[^\\0]+$', description: 'stays inside the folder' }),
      size: Type.Integer({ minimum: 0 }),
      sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    }),
  ),
  rows: Type.Record(Type.String(), Type.Integer({ minimum: 0 })),
});
export type Manifest = Static<typeof Manifest>;

const manifestFile = (folder: string): string => join(folder, 'manifest.json');

export const writeManifest = (folder: string, manifest: Manifest): Promise<void> =>
  writeFile(manifestFile(folder), `${JSON.stringify(manifest, null, 2)}\n`, { flag: 'wx', mode: 0o600, flush: true });

/** Reads the whole backup and compares it with its manifest. */
export async function verifyBackup(folder: string, signal?: AbortSignal): Promise<Manifest> {
  const manifest = await readManifest(folder);
  for (const { path, size, sha256 } of manifest.files) {
    const file = join(folder, path);
    const isThere = await lstat(file).then(
      (found) => found.isFile(),
      () => false,
    );
    if (!isThere) throw unusable(folder, `${path} is missing`);
    const found = await fingerprintOf(file, signal);
    if (found.size !== size || found.sha256 !== sha256) throw unusable(folder, `${path} is not as it was written`);
  }
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

async function readManifest(folder: string): Promise<Manifest> {
  let manifest: unknown;
  try {
    manifest = JSON.parse(await readFile(manifestFile(folder), 'utf8'));
  } catch (cause) {
    throw unusable(folder, 'it has no manifest.json that can be read', { cause });
  }
  if (!Check(Manifest, manifest)) throw unusable(folder, 'its manifest.json is not one of this program');
  return manifest;
}

const unusable = (folder: string, why: string, options?: ErrorOptions): Problem =>
  new Problem('unprocessable', `The backup ${folder} cannot be used: ${why}.`, {}, options);
