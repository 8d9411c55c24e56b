import { Problem } from '../problem.ts';

/** An Ed25519 key for signing in. The private key may be non-extractable. */
export type SigningKey = {
  /** base64 of the 32 bytes */
  publicKey: string;
  /** Signs the UTF-8 bytes of a text; returns base64. */
  sign(text: string): Promise<string>;
};

// Derived from sign(), so that it is the browser's type in browsers and Node's in Node.
type WebKey = Parameters<typeof crypto.subtle.sign>[1];

type WebKeyPair = { publicKey: WebKey; privateKey: WebKey };

const begin = '-----BEGIN PRIVATE KEY-----';
const end = '-----END PRIVATE KEY-----';
const pemText = new RegExp(`${begin}([\\sA-Za-z0-9+/=]+)${end}`);

/** Reads a private key as written by `openssl genpkey -algorithm ed25519`. */
export async function keyFromPem(pkcs8Pem: string): Promise<SigningKey> {
  const { subtle } = webCrypto();
  const text = pemText.exec(pkcs8Pem)?.[1];
  if (!text) {
    throw new Problem('invalid_request', `This is not a private key in PEM (PKCS 8), which begins with ${begin}.`);
  }
  try {
    const privateKey = await subtle.importKey('pkcs8', fromBase64(text), 'Ed25519', true, ['sign']);
    const { x } = await subtle.exportKey('jwk', privateKey);
    return signingKey(fromBase64(x!), privateKey);
  } catch (cause) {
    const sentence =
      'This is not an Ed25519 key; create one with makeKey() or with openssl genpkey -algorithm ed25519.';
    throw new Problem('invalid_request', sentence, {}, { cause });
  }
}

/** Wraps a CryptoKeyPair, whose private key need not be extractable. */
export async function keyFromPair({ publicKey, privateKey }: WebKeyPair): Promise<SigningKey> {
  return signingKey(await webCrypto().subtle.exportKey('raw', publicKey), privateKey);
}

export async function makeKey(): Promise<{ key: SigningKey; pem: string }> {
  const { subtle } = webCrypto();
  const pair = (await subtle.generateKey('Ed25519', true, ['sign', 'verify'])) as WebKeyPair;
  const pem = [begin, toBase64(await subtle.exportKey('pkcs8', pair.privateKey)), end, ''].join('\n');
  return { key: await keyFromPair(pair), pem };
}

const signingKey = (publicBytes: ArrayBuffer | Uint8Array, privateKey: WebKey): SigningKey => ({
  publicKey: toBase64(publicBytes),
  sign: async (text) => toBase64(await crypto.subtle.sign('Ed25519', privateKey, new TextEncoder().encode(text))),
});

function webCrypto(): typeof crypto {
  const { subtle }: Partial<typeof crypto> = crypto;
  if (subtle) return crypto;
  throw new Problem('unavailable', 'Browsers can sign only on pages served over https or from localhost.');
}

/** Uses btoa, which browsers and Node share. */
const toBase64 = (bytes: ArrayBuffer | Uint8Array): string => btoa(String.fromCharCode(...new Uint8Array(bytes)));

export const fromBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));
