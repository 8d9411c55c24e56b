import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { mkdir, open, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncPath, writeAtomic } from '#lib/atomic-file.ts';
import { errorCode } from '#lib/error-code.ts';

/** The key file is unusable. A person has to decide, because a new key would give the gateway a new serial. */
export class KeyFileError extends Error {
  override name = 'KeyFileError';
}

export const keyFile = (dataDir: string): string => join(dataDir, 'identity', 'key.pem');

/** Returns the private key of this gateway, created at its first start. */
export async function openKey(dataDir: string): Promise<KeyObject> {
  const path = keyFile(dataDir);
  const folder = dirname(path);
  if ((await mkdir(folder, { recursive: true, mode: 0o700 })) !== undefined) await syncPath(dirname(folder));
  refuseOthers(folder, await stat(folder), '700');
  const text = await read(path);
  return text === undefined ? makeKey(path) : keyOf(text, path);
}

async function read(path: string): Promise<string | undefined> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      refuseOthers(path, await file.stat(), '600');
      return await file.readFile('utf8');
    } finally {
      await file.close();
    }
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT') return undefined;
    if (code === 'ELOOP') throw new KeyFileError(`${path} is a link; put the key itself there.`, { cause: error });
    throw error;
  }
}

function refuseOthers(path: string, { mode }: Stats, wanted: string): void {
  if ((mode & 0o077) === 0) return;
  throw new KeyFileError(
    `${path} can be used by others (mode ${(mode & 0o777).toString(8)}). If nobody can have read the key, run: chmod ${wanted} ${path}`,
  );
}

async function makeKey(path: string): Promise<KeyObject> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  await writeAtomic(path, privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(), { mode: 0o600, isNew: true });
  return privateKey;
}

function keyOf(text: string, path: string): KeyObject {
  try {
    const key = createPrivateKey(text);
    if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') throw new Error('It is not a P-256 key.');
    // The file holds both halves of the key; a trial signature detects a flipped bit in either.
    const trial = Buffer.from('trial');
    if (!verify('sha256', trial, createPublicKey(key), sign('sha256', trial, key))) {
      throw new Error('Its private and its public half do not belong together.');
    }
    return key;
  } catch (error) {
    const restore = 'Restore it from a backup, or move it away';
    const consequence = 'the next start then creates a new key with another serial, which must be claimed again';
    throw new KeyFileError(`${path} does not contain the key of a gateway. ${restore}: ${consequence}.`, {
      cause: error,
    });
  }
}
