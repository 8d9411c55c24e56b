import { Problem } from '#contract/problem.ts';

const algorithm = 'Ed25519';

/** A new key that can be read out until it is backed up. */
export const newPair = async (): Promise<CryptoKeyPair> =>
  (await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as CryptoKeyPair;

/** The private key as text (PKCS 8, PEM): what the command line reads and writes too. */
export async function pemOf({ privateKey }: CryptoKeyPair): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.exportKey('pkcs8', privateKey));
  const lines = btoa(String.fromCharCode(...bytes)).match(/.{1,64}/g)!;
  return `-----BEGIN PRIVATE KEY-----\n${lines.join('\n')}\n-----END PRIVATE KEY-----\n`;
}

/** The pair of a key file. From now on nothing can read it out. */
export async function pairOf(pem: string): Promise<CryptoKeyPair> {
  const body = /-----BEGIN PRIVATE KEY-----([\s\S]+?)-----END PRIVATE KEY-----/.exec(pem)?.[1];
  if (!body) {
    throw new Problem(
      'invalid_request',
      'This is no private key file: it should begin with -----BEGIN PRIVATE KEY-----.',
    );
  }
  try {
    const pkcs8 = Uint8Array.from(atob(body.replaceAll(/\s/g, '')), (letter) => letter.charCodeAt(0));
    const readable = await crypto.subtle.importKey('pkcs8', pkcs8, algorithm, true, ['sign']);
    const { x } = await crypto.subtle.exportKey('jwk', readable);
    return {
      privateKey: await crypto.subtle.importKey('pkcs8', pkcs8, algorithm, false, ['sign']),
      publicKey: await crypto.subtle.importKey('jwk', { kty: 'OKP', crv: algorithm, x: x! }, algorithm, true, [
        'verify',
      ]),
    };
  } catch (error) {
    throw new Problem(
      'invalid_request',
      'The key in this file cannot be used; an Ed25519 key is needed.',
      {},
      { cause: error },
    );
  }
}

/** Whether this browser, at this address, can hold a key at all. */
export const canHoldKeys = (): boolean => globalThis.crypto?.subtle !== undefined && globalThis.indexedDB !== undefined;
