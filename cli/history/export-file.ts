import { once } from 'node:events';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncPath } from '#lib/atomic-file.ts';
import type { Shell } from '../line/command.ts';

export type ExportFile = {
  write(text: string): Promise<void>;
  /** It is all there. */
  finish(): Promise<void>;
  /** It is not wanted. */
  discard(): Promise<void>;
};

/** A file that has its name only when it is whole. */
export async function openExportFile(path: string): Promise<ExportFile> {
  const beside = `${path}.${process.pid}.tmp`;
  const file = await open(beside, 'w');
  return {
    write: (text) => file.appendFile(text),
    async finish() {
      await file.sync();
      await file.close();
      await rename(beside, path);
      await syncPath(dirname(path));
    },
    async discard() {
      await file.close();
      await rm(beside, { force: true });
    },
  };
}

/** Standard output, as fast as it is read. */
export const standardOutput = ({ stdout }: Shell): ExportFile => ({
  async write(text) {
    if (!stdout.write(text)) await once(stdout, 'drain');
  },
  async finish() {},
  async discard() {},
});
