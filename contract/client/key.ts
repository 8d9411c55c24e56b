import { Problem } from '../problem.ts';

/** What signs a person in: an Ed25519 key whose private half may be out of reach. */
export type SigningKey = {
  /** base64 of the 32 bytes */
  publicKey: string;
  /** The signature over the UTF-8 bytes of a text, base64. */
  sign(text: string): Promise<string>;
};

// Told by what sign() takes: the type of browsers in a browser, that of Node in Node.
type WebKey = Parameters<typeof crypto.subtle.sign>[1];

/** A CryptoKeyPair. */
type WebKeyPair = { publicKey: WebKey; privateKey: WebKey };

const begin = '-----BEGIN PRIVATE KEY-----';
const end = '-----END PRIVATE KEY-----';
const pemText = new RegExp(`${begin}([\\sA-Za-z0-9+/=]+)${end}`);

/** A private key as `openssl genpkey -algorithm ed25519` writes it. */
export async function keyFromPem(pkcs8Pem: string): Promise<SigningKey> {
  const { subtle } = webCrypto();
  const text = pemText.exec(pkcs8Pem)?.[1];
  if (!text) {
    throw new Problem('invalid_request', `This is no private key in PEM (PKCS 8), which begins with ${begin}.`);
  }
  try {
    const privateKey = await subtle.importKey('pkcs8', fromBase64(text), 'Ed25519', true, ['sign']);
    const { x } = await subtle.exportKey('jwk', privateKey);
    return signingKey(fromBase64(x!), privateKey);
  } catch (cause) {
    const sentence = 'This is no Ed25519 key; make one with makeKey(), or with openssl genpkey -algorithm ed25519.';
    throw new Problem('invalid_request', sentence, {}, { cause });
  }
}

/** The private key need not be extractable: a browser can hold one that no script can read. */
export async function keyFromPair({ publicKey, privateKey }: WebKeyPair): Promise<SigningKey> {
  return signingKey(await webCrypto().subtle.exportKey('raw', publicKey), privateKey);
}

/** A new key, and the PEM to keep it by. */
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
  if ((crypto as Partial<typeof crypto>).subtle) return crypto;
  throw new Problem('unavailable', 'A browser signs only on pages from https or localhost; open this page there.');
}

/** Of browsers and Node alike, which share btoa and atob. */
const toBase64 = (bytes: ArrayBuffer | Uint8Array): string => btoa(String.fromCharCode(...new Uint8Array(bytes)));

/** Takes base64url too. */
export const fromBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));
