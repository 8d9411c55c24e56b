import { spawnSync } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** How a program is started in a file system of its own, in which the folder is a small disk; both are gone with it. */
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

/** Why that cannot be done here. */
export const cannotMount = (): string | false =>
  spawnSync(...onSmallDisk(tmpdir(), 1, 'true')).status === 0 ? false : 'a small disk cannot be mounted here';

/** What takes all the room in a folder that is left, to the last byte. */
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
