import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Creates an empty folder until the test ends; with `{ after }` until the suite or the file ends, but not in a `before`, whose
 * `after` runs right after it. Earlier `after` hooks have run when it is removed, and a process that still writes into
 * it gets time to end.
 */
export function temporaryFolder(t: { after(work: () => void): void }): string {
  const folder = mkdtempSync(join(tmpdir(), 'ohmstead-'));
  t.after(() => void rm(folder, { recursive: true, force: true, maxRetries: 20 }));
  return folder;
}
