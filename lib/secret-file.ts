import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';

/** A secret that is made once and kept in a file that only its owner can read. */
export function secretFile(path: string): string {
  try {
    const file = openSync(path, 'wx', 0o600);
    writeSync(file, `${randomBytes(32).toString('base64url')}\n`);
    fsyncSync(file);
    closeSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFileSync(path, 'utf8').trim();
}
