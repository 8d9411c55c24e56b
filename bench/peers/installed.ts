import { existsSync } from 'node:fs';
import { join } from 'node:path';

const folders = ['/usr/local/bin', '/usr/bin', '/usr/sbin'];

/** Returns the path of a program of a Debian package; logs it and returns undefined when it is not installed. */
export function findInstalled(program: string, debianPackage: string): string | undefined {
  const file = folders.map((folder) => join(folder, program)).find((path) => existsSync(path));
  if (!file) {
    console.error(`${program} is not installed, so its rows are left out: apt-get install ${debianPackage} brings it.`);
  }
  return file;
}
