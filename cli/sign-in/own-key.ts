import { mkdir, readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { keyFromPem, makeKey, type SigningKey } from '#contract/client/key.ts';
import { Problem } from '#contract/problem.ts';
import { writeAtomic } from '#lib/atomic-file.ts';
import { errorCode, isMissingFile, undefinedIf } from '#lib/error-code.ts';
import type { Shell } from '../line/command.ts';
import { messageOf } from '../line/errors.ts';
import { configFolder } from './sign-ins.ts';

export const ownKeyFile = (shell: Shell): string => join(configFolder(shell), 'identity.pem');

export async function readKey(path: string, { stderr }: Shell): Promise<SigningKey> {
  const pem = await readFile(path, 'utf8').catch(undefinedIf(isMissingFile));
  if (pem === undefined) throw new Problem('not_found', `Key file ${path} not found.`);
  const key = await keyFromPem(pem).catch((cause: unknown) => {
    throw new Problem('unprocessable', `${path}: ${messageOf(cause)}`, {}, { cause });
  });
  const { mode } = await stat(path);
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
    stderr.write(`Other users of this machine can read your key. To fix this, run: chmod 600 ${path}\n`);
  }
  return key;
}

/** Opens the given key file, else the user's own, which is created if it does not exist. */
export async function openKey(given: string | undefined, shell: Shell) {
  if (given !== undefined) return { key: await readKey(resolve(given), shell), path: resolve(given), isNew: false };
  const path = ownKeyFile(shell);
  const { key, pem } = await makeKey();
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  try {
    await writeAtomic(path, pem, { isNew: true });
    return { key, path, isNew: true };
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    return { key: await readKey(path, shell), path, isNew: false };
  }
}
