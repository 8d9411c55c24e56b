import { lstat, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Check } from 'typebox/value';
import { Problem } from '#contract/problem.ts';
import { type Static, Type } from '#contract/schema.ts';
import { fingerprintOf } from './files.ts';

export const Manifest = Type.Object({
  format: Type.Literal(1),
  of: Type.Optional(Type.Enum(['platform', 'gateway'], { description: 'platform when absent' })),
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

export async function readManifest(folder: string): Promise<Manifest> {
  let manifest: unknown;
  try {
    manifest = JSON.parse(await readFile(manifestFile(folder), 'utf8'));
  } catch (cause) {
    throw unusableBackup(folder, 'its manifest.json is missing or unreadable', { cause });
  }
  if (!Check(Manifest, manifest)) throw unusableBackup(folder, 'its manifest.json was not written by this program');
  return manifest;
}

/** Reads every file of a backup and compares it with the manifest. */
export async function verifyFiles(
  folder: string,
  of: NonNullable<Manifest['of']>,
  signal?: AbortSignal,
): Promise<Manifest> {
  const manifest = await readManifest(folder);
  const { of: held = 'platform' } = manifest;
  if (held !== of) throw unusableBackup(folder, `it is a backup of a ${held}`);
  for (const { path, size, sha256 } of manifest.files) {
    const file = join(folder, path);
    const isThere = await lstat(file).then(
      (found) => found.isFile(),
      () => false,
    );
    if (!isThere) throw unusableBackup(folder, `${path} is missing`);
    const found = await fingerprintOf(file, signal);
    if (found.size !== size || found.sha256 !== sha256)
      throw unusableBackup(folder, `${path} has changed since it was written`);
  }
  return manifest;
}

export const unusableBackup = (folder: string, why: string, options?: ErrorOptions): Problem =>
  new Problem('unprocessable', `The backup ${folder} cannot be used: ${why}.`, {}, options);
