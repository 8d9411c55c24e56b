import { constants, existsSync } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { failureWords } from './failure-words.ts';
import { type Finding, findingsAbout } from './finding.ts';
import type { Scene } from './scene.ts';
import { userName } from './user-name.ts';

const mega = 2 ** 20;
const littleRoom = { warning: 1024 * mega, problem: 100 * mega };
const memoryFileSystems = [0x01021994, 0x858458f6]; // tmpfs, ramfs
const overlay = 0x794c7630; // of a read-only root, or of a container: what is written lies above it, mostly in memory

export async function checkDataFolders({ cloud, gatewayDataDir }: Scene): Promise<Finding[]> {
  const folders = [
    { of: 'the platform', path: resolve(cloud.DATA_DIR), setting: 'DATA_DIR' },
    { of: 'the gateway', path: resolve(gatewayDataDir), setting: 'GATEWAY_DATA_DIR' },
  ];
  return (await Promise.all(folders.map(checkFolder))).flat();
}

type Folder = { of: string; path: string; setting: string };

const found = findingsAbout('data folder');

async function checkFolder(folder: Folder): Promise<Finding[]> {
  const { of, path, setting } = folder;
  const username = userName();
  const uid = process.getuid?.() ?? -1;
  if (!existsSync(path)) return [await checkMissing(folder)];
  try {
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const next = `Run as the user that owns it, or: sudo chown -R ${username} ${path}.`;
    return [found.problem(`The folder of ${of}, ${path}, cannot be used: ${failureWords(error)}.`, next)];
  }
  const { mode, uid: owner } = await stat(path);
  const findings: Finding[] = [];
  if ((mode & 0o077) !== 0) {
    const says = `The folder of ${of}, ${path}, holds keys and is open to others (mode ${(mode & 0o777).toString(8)}).`;
    findings.push(found.warning(says, `Run: chmod 700 ${path}`));
  }
  if (owner !== uid) {
    const says = `The folder of ${of}, ${path}, belongs to another user (${owner}).`;
    findings.push(
      found.warning(says, 'Start the program as that user; files of this one would not be readable for it.'),
    );
  }
  return [...findings, await checkRoom(folder, setting)];
}

async function checkMissing({ of, path, setting }: Folder): Promise<Finding> {
  let above = dirname(path);
  while (!existsSync(above)) above = dirname(above);
  try {
    await access(above, constants.W_OK | constants.X_OK);
    return found.ok(`The folder of ${of}, ${path}, is made at its first start.`);
  } catch (error) {
    const says = `The folder of ${of}, ${path}, cannot be made: ${failureWords(error)}.`;
    return found.problem(says, `Make it for this user, or set ${setting} to another folder.`);
  }
}

async function checkRoom({ of, path }: Folder, setting: string): Promise<Finding> {
  const { bavail, bsize, type } = await statfs(path);
  const free = bavail * bsize;
  const says = `The folder of ${of}, ${path}, has ${Math.round(free / mega)} MB left on its disk.`;
  const next = `Make room, or set ${setting} to a folder on a larger disk.`;
  if (free < littleRoom.problem) return found.problem(says, next);
  if (memoryFileSystems.includes(type)) {
    return found.warning(
      `${says} That disk is memory, and empty after a restart.`,
      `Set ${setting} to one that lasts.`,
    );
  }
  if (type === overlay) {
    return found.warning(
      `${says} It is an overlay, and what is written to it may be gone after a restart.`,
      `Mount a disk or a volume there, or set ${setting} to one that lasts; overlayroot keeps off other disks with recurse=0.`,
    );
  }
  return free < littleRoom.warning ? found.warning(says, next) : found.ok(says);
}
