import { lstatSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A folder for compiled code that only this user can write to: whoever can decides what runs.
 *
 * @returns {string | undefined}
 */
export function compileCacheFolder() {
  const uid = process.getuid?.() ?? -1;
  const folder = join(tmpdir(), `ohmstead-compiled-${uid}`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const found = lstatSync(folder);
    const isOurs = found.isDirectory() && (uid === -1 || (found.uid === uid && (found.mode & 0o022) === 0));
    return isOurs ? folder : undefined;
  } catch {
    return undefined;
  }
}
