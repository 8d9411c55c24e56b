import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** An empty folder until the test ends; whatever still writes into it then is given the time to end. */
export function temporaryFolder(t: { after(work: () => void): void }): string {
  const folder = mkdtempSync(join(tmpdir(), 'ohmstead-'));
  t.after(() => void rm(folder, { recursive: true, force: true, maxRetries: 20 }));
  return folder;
}
