import { PageProblem } from '../parts/problem-words.ts';
import { texts } from '../parts/text.ts';

const t = texts({
  en: {
    cannotMake:
      'This browser cannot make keys of the kind needed (Ed25519). A current Chrome, Edge, Firefox or Safari can.',
    noKey: 'This is no private key file: one begins with -----BEGIN PRIVATE KEY-----.',
    otherKey: 'The key in this file cannot be used: it is damaged, or of another kind than Ed25519.',
  },
  sv: {
    cannotMake:
      'Webbläsaren kan inte skapa den sorts nyckel som behövs (Ed25519). En aktuell Chrome, Edge, Firefox eller Safari kan.',
    noKey: 'Det här är ingen fil med en privat nyckel: en sådan börjar med -----BEGIN PRIVATE KEY-----.',
    otherKey: 'Nyckeln i filen kan inte användas: den är skadad eller av en annan sort än Ed25519.',
  },
});

const algorithm = 'Ed25519';

/** A new key that can be read out until it is backed up. */
export async function newPair(): Promise<CryptoKeyPair> {
  try {
    return await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  } catch (cause) {
    throw new PageProblem('not_implemented', t('cannotMake'), {}, { cause });
  }
}

/** The private key as text (PKCS 8, PEM): what the command line reads and writes too. */
export async function pemOf({ privateKey }: CryptoKeyPair): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.exportKey('pkcs8', privateKey));
  const lines = btoa(String.fromCharCode(...bytes)).match(/.{1,64}/g)!;
  return `-----BEGIN PRIVATE KEY-----\n${lines.join('\n')}\n-----END PRIVATE KEY-----\n`;
}

/** The pair of a key file. From now on nothing can read it out. */
export async function pairOf(pem: string): Promise<CryptoKeyPair> {
  const body = /-----BEGIN PRIVATE KEY-----([\s\S]+?)-----END PRIVATE KEY-----/.exec(pem)?.[1];
  if (!body) throw new PageProblem('invalid_request', t('noKey'));
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
  } catch (cause) {
    throw new PageProblem('invalid_request', t('otherKey'), {}, { cause });
  }
}

/** Whether this browser, at this address, can hold a key at all. */
export const canHoldKeys = (): boolean => globalThis.crypto?.subtle !== undefined && globalThis.indexedDB !== undefined;
