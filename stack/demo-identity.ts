import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Client, createClient } from '#contract/client.ts';
import { registerIdentity, requestChallenge, verifyChallenge } from '#contract/cloud/identity.ts';
import { writeAtomic } from '#lib/atomic-file.ts';
import { parsePublicKey } from '#lib/keys/public-key.ts';

export type DemoIdentity = { identityId: string; keyFile: string; api: Client };

/** Signs in with the key of the file, as any person would; the key is made and registered when it is not there yet. */
export async function signIn(baseUrl: string, keyFile: string): Promise<DemoIdentity> {
  const key = await openKey(keyFile);
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' });
  const public_key = parsePublicKey(spki.toString('base64')).text;
  const anyone = createClient({ baseUrl });
  await anyone.call(registerIdentity, { body: { public_key, name: 'Simulated owner' } });
  const { challenge } = await anyone.call(requestChallenge, { body: { public_key } });
  const signature = sign(null, Buffer.from(challenge), key).toString('base64');
  const { token, identity_id } = await anyone.call(verifyChallenge, { body: { public_key, challenge, signature } });
  return { identityId: identity_id, keyFile, api: createClient({ baseUrl, token }) };
}

async function openKey(path: string): Promise<KeyObject> {
  try {
    return createPrivateKey(await readFile(path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const { privateKey } = generateKeyPairSync('ed25519');
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeAtomic(path, privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(), { isNew: true });
  return privateKey;
}
