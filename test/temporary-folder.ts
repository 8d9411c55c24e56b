import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * An empty folder until the test ends; with `{ after }` until the suite or the file ends, but not in a `before`, whose
 * `after` follows right behind it. What an earlier `after` ends has ended when it is removed, and whatever writes into
 * it even then is given the time to end.
 */
export function temporaryFolder(t: { after(work: () => void): void }): string {
  const folder = mkdtempSync(join(tmpdir(), 'ohmstead-'));
  t.after(() => void rm(folder, { recursive: true, force: true, maxRetries: 20 }));
  return folder;
}
