import { constants, existsSync } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { DoctorContext } from './context.ts';
import { failureReason, type Outcome, type Outcomes, ok, problem, userName, warning } from './finding.ts';

const megabyte = 2 ** 20;
const lowSpaceBytes = { warning: 1024 * megabyte, problem: 100 * megabyte };
const memoryFileSystems = [0x01021994, 0x858458f6]; // tmpfs, ramfs
const overlay = 0x794c7630; // of a read-only root or a container; writes usually go to memory

export async function checkDataFolders({ cloud, gatewayDataDir }: DoctorContext): Promise<Outcome[]> {
  const folders = [
    { of: 'the platform', path: resolve(cloud.DATA_DIR), setting: 'DATA_DIR' },
    { of: 'the gateway', path: resolve(gatewayDataDir), setting: 'GATEWAY_DATA_DIR' },
  ];
  return (await Promise.all(folders.map(checkFolder))).flat();
}

type Folder = { of: string; path: string; setting: string };

async function checkFolder(folder: Folder): Promise<Outcomes> {
  const { of, path, setting } = folder;
  const username = userName();
  const uid = process.getuid?.() ?? -1;
  if (!existsSync(path)) return checkMissing(folder);
  try {
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const next = `Run as the owner of the folder, or: sudo chown -R ${username} ${path}.`;
    return problem(`Cannot use the folder of ${of}, ${path}: ${failureReason(error)}.`, next);
  }
  const { mode, uid: owner } = await stat(path);
  const findings: Outcome[] = [];
  if ((mode & 0o077) !== 0) {
    const says = `The folder of ${of}, ${path}, contains keys and other users can read it (mode ${(mode & 0o777).toString(8)}).`;
    findings.push(warning(says, `Run: chmod 700 ${path}`));
  }
  if (owner !== uid) {
    const says = `The folder of ${of}, ${path}, belongs to another user (${owner}).`;
    findings.push(warning(says, 'Start the program as that user; it could not read files that this user creates.'));
  }
  return [...findings, await checkFreeSpace(folder, setting)];
}

async function checkMissing({ of, path, setting }: Folder): Promise<Outcome> {
  let above = dirname(path);
  while (!existsSync(above)) above = dirname(above);
  try {
    await access(above, constants.W_OK | constants.X_OK);
    return ok(`The folder of ${of}, ${path}, will be created at the first start.`);
  } catch (error) {
    const says = `Cannot create the folder of ${of}, ${path}: ${failureReason(error)}.`;
    return problem(says, `Create it for this user, or set ${setting} to another folder.`);
  }
}

async function checkFreeSpace({ of, path }: Folder, setting: string): Promise<Outcome> {
  const { bavail, bsize, type } = await statfs(path);
  const free = bavail * bsize;
  const says = `The folder of ${of}, ${path}, has ${Math.round(free / megabyte)} MB of free disk space.`;
  const next = `Free up space, or set ${setting} to a folder on a larger disk.`;
  if (free < lowSpaceBytes.problem) return problem(says, next);
  if (memoryFileSystems.includes(type)) {
    return warning(
      `${says} It is a memory file system, which a restart empties.`,
      `Set ${setting} to a folder on a persistent disk.`,
    );
  }
  if (type === overlay) {
    return warning(
      `${says} It is an overlay file system, which a restart may empty.`,
      `Mount a disk or volume there, or set ${setting} to a folder on a persistent disk; with overlayroot, use recurse=0.`,
    );
  }
  return free < lowSpaceBytes.warning ? warning(says, next) : ok(says);
}
