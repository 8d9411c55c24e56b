import { generateKeyPairSync } from 'node:crypto';
import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { Problem } from '#contract/problem.ts';
import { type PublicKey, parsePublicKey } from '#lib/keys/public-key.ts';

export type NewKeyFile = { key: PublicKey; discard(): void };

/** Makes a key pair and writes its private half (PKCS 8, PEM) to a new file that only its owner reads. */
export function createKeyFile(path: string, algorithm: PublicKey['algorithm']): NewKeyFile {
  const { privateKey, publicKey } =
    algorithm === 'Ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const discard = (): void => rmSync(path, { force: true });
  const file = openNew(path);
  try {
    writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), { flush: true });
  } catch (error) {
    discard(); // of a disk that is full: part of a key is none, and would be in the way of the next attempt
    throw error;
  } finally {
    closeSync(file);
  }
  const pem = publicKey.export({ type: 'spki', format: 'pem' }) as string;
  return { key: parsePublicKey(pem), discard };
}

function openNew(path: string): number {
  try {
    return openSync(path, 'wx', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new Problem('conflict', `The file ${path} exists and is left as it is.`, {}, { cause: error });
  }
}
