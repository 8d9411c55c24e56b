import { accessSync, chmodSync, constants, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { errorCode } from './error-code.ts';

export type FolderLock = Disposable & { release(): void };

export class FolderInUse extends Error {
  override name = 'FolderInUse';
}

/** Thrown when nothing can be written to a folder; the message says what to do. */
export class FolderRefused extends Error {
  override name = 'FolderRefused';
}

const sqliteBusy = 5;
const held = new Set<DatabaseSync>(); // a garbage-collected handle would release the lock

/** Locks a folder until it is released or this process ends. Creates a missing folder, private to its owner. */
export function lockFolder(path: string): FolderLock {
  const lock = join(path, 'lock');
  try {
    const isNew = mkdirSync(path, { recursive: true, mode: 0o700 }) !== undefined;
    if (isNew) chmodSync(path, 0o700);
    accessSync(path, constants.W_OK | constants.X_OK);
    if (existsSync(lock)) accessSync(lock, constants.R_OK | constants.W_OK);
  } catch (error) {
    throw refused(path, error);
  }

  const file = new DatabaseSync(lock, { timeout: 0 });
  try {
    // The journal stays in memory, or a crash would leave its file behind.
    file.exec('PRAGMA journal_mode=MEMORY; PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (error) {
    file.close();
    if (isBusy(error)) throw new FolderInUse(`The folder ${path} is in use by another process.`, { cause: error });
    throw error;
  }
  held.add(file);

  const release = (): void => {
    if (held.delete(file)) file.close();
  };
  return { release, [Symbol.dispose]: release };
}

const readOnly = 'is on a read-only disk; mount it for writing, or choose another folder';
const occupied = 'is a file, or within one; choose another folder';

function refused(path: string, cause: unknown): unknown {
  const notOurs = `is not writable for user ${process.getuid?.()}; change its owner (chown -R), or choose another folder`;
  const reasons: Record<string, string> = {
    EACCES: notOurs,
    EPERM: notOurs,
    EROFS: readOnly,
    ENOENT: readOnly, // the error of mkdir on such a disk
    EEXIST: occupied,
    ENOTDIR: occupied,
  };
  const reason = reasons[String(errorCode(cause))];
  return reason ? new FolderRefused(`The folder ${path} ${reason}.`, { cause }) : cause;
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy;
}
