import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export type FolderLock = { release(): void };

export class FolderInUse extends Error {
  override name = 'FolderInUse';
}

const sqliteBusy = 5;
const held = new Set<DatabaseSync>(); // a collected handle would close its file and free the folder

/** Makes the folder private to its owner if it is missing, and keeps other processes out until release or death. */
export function lockFolder(path: string): FolderLock {
  const isNew = mkdirSync(path, { recursive: true, mode: 0o700 }) !== undefined;
  if (isNew) chmodSync(path, 0o700);

  const file = new DatabaseSync(join(path, 'lock'), { timeout: 0 });
  try {
    // The journal stays in memory, or a crash would leave its file behind.
    file.exec('PRAGMA journal_mode=MEMORY; PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (error) {
    file.close();
    if (isBusy(error)) throw new FolderInUse(`The folder ${path} is in use by another process.`, { cause: error });
    throw error;
  }
  held.add(file);

  return {
    release() {
      if (held.delete(file)) file.close();
    },
  };
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy;
}
