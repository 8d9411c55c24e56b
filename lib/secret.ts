import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/** A secret that is made once and kept in a file that only its owner can read. */
export function secretFile(path: string): string {
  const kept = existsSync(path) ? readFileSync(path, 'utf8').trim() : '';
  if (kept !== '') return kept; // nothing is no secret: a full disk, or a start that was broken off, may have left that
  const secret = randomBytes(32).toString('base64url');
  const beside = `${path}.tmp`;
  rmSync(beside, { force: true });
  writeFileSync(beside, `${secret}\n`, { flag: 'wx', mode: 0o600, flush: true });
  renameSync(beside, path);
  return secret;
}

/** Compares without telling by its time how much was right. */
export const sameSecret = (given: string, expected: string): boolean =>
  timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', expected, 'buffer'));
