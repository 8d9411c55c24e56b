import { readJson } from './atomic-file.ts';
import type { Logger } from './log.ts';

/** What `writeJson` wrote; undefined when there is no file, and when it was damaged, which is logged with these words. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export async function readKept<Data>(path: string, damagedWords: string, log: Logger): Promise<Data | undefined> {
  const stored = await readJson<Data>(path);
  if (stored?.damaged) log.warn({ file: stored.damaged }, damagedWords);
  return stored?.data;
}
