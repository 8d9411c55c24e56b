import { lstatSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Returns a folder for compiled code. Only this user may write to it, because its contents are executed.
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
