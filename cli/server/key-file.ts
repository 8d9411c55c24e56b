import { generateKeyPairSync } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { Problem } from '#contract/problem.ts';
import { type PublicKey, parsePublicKey } from '#lib/keys/public-key.ts';

export type NewKeyFile = { key: PublicKey; discard(): void };

/** Makes a key pair and writes its private half (PKCS 8, PEM) to a new file that only its owner reads. */
export function createKeyFile(path: string, algorithm: PublicKey['algorithm']): NewKeyFile {
  const { privateKey, publicKey } =
    algorithm === 'Ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('ec', { namedCurve: 'P-256' });
  try {
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
    writeFileSync(path, pem, { flag: 'wx', mode: 0o600, flush: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new Problem('conflict', `The file ${path} exists and is left as it is.`, {}, { cause: error });
  }
  const pem = publicKey.export({ type: 'spki', format: 'pem' }) as string;
  return { key: parsePublicKey(pem), discard: () => rmSync(path, { force: true }) };
}
