import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { connect, type Ohmstead } from '#contract/client/connect.ts';
import { keyFromPem, makeKey, type SigningKey } from '#contract/client/key.ts';
import { writeAtomic } from '#lib/atomic-file.ts';

type Token = { token: string; identity_id: string; expires_at: string };

export type DemoIdentity = { identityId: string; keyFile: string; api: Ohmstead; anotherToken(): Promise<Token> };

/** Signs in with the key of the file, as any person would; the key is made when it is not there yet. */
export async function signIn(cloudUrl: string, keyFile: string): Promise<DemoIdentity> {
  const key = await openKey(keyFile);
  const api = await connect(cloudUrl, { key, name: 'Simulated owner' });
  return {
    identityId: api.identityId,
    keyFile,
    api,
    async anotherToken() {
      const { promise, resolve } = Promise.withResolvers<Token>();
      await connect(cloudUrl, {
        key,
        onToken: (token, expires_at) => resolve({ token, identity_id: api.identityId, expires_at }),
      });
      return promise;
    },
  };
}

async function openKey(path: string): Promise<SigningKey> {
  try {
    return await keyFromPem(await readFile(path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const { key, pem } = await makeKey();
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeAtomic(path, pem, { isNew: true });
  return key;
}
