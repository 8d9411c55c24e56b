import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/** Returns 32 random bytes as text. It never begins with a hyphen: a command would take it for an option. */
export const newSecret = (): string => randomBytes(32).toString('base64url').replace(/^-/, '_');

/** Returns the secret in a file that only its owner can read, creating it if the file is missing or empty. */
export function secretFile(path: string): string {
  const stored = existsSync(path) ? readFileSync(path, 'utf8').trim() : '';
  if (stored !== '') return stored; // a full disk or an interrupted start may have left an empty file
  const secret = newSecret();
  const temporary = `${path}.tmp`;
  rmSync(temporary, { force: true });
  writeFileSync(temporary, `${secret}\n`, { flag: 'wx', mode: 0o600, flush: true });
  renameSync(temporary, path);
  return secret;
}

/** Compares two secrets in constant time. */
export const sameSecret = (given: string, expected: string): boolean =>
  timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', expected, 'buffer'));
