import { spawnSync } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Command that starts a program in its own mount namespace, in which the folder is a small disk; both disappear with it. */
export const onSmallDisk = (folder: string, megabytes: number, program: string): [string, string[]] => [
  'unshare',
  [
    '--map-root-user',
    '--mount',
    'sh',
    '-c',
    `mount -t tmpfs -o size=${megabytes}m ohmstead "${folder}" && exec ${program}`,
  ],
];

/** Reason why that is impossible here. */
export const cannotMount = (): string | false =>
  spawnSync(...onSmallDisk(tmpdir(), 1, 'true')).status === 0 ? false : 'a small disk cannot be mounted here';

/** Fills a folder to the last byte. */
export function createBallast(folder: string) {
  const file = join(folder, 'ballast');
  return {
    async fill(): Promise<void> {
      for (let size = 1_000_000; size >= 1; size = Math.floor(size / 4)) while (await hasRoomFor(size));
    },
    empty: () => rm(file),
  };

  async function hasRoomFor(size: number): Promise<boolean> {
    try {
      await writeFile(file, Buffer.alloc(size), { flag: 'a' });
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      return false;
    }
  }
}
