import { PageProblem } from '../parts/problem-words.ts';
import { texts } from '../parts/text.ts';

// The key of this browser, kept by the browser itself. Once it has been backed up, nothing can read it out again.
export type KeptKey = {
  pair: CryptoKeyPair;
  isBackedUp: boolean;
  /** of the person, as the platform knows it */
  name?: string;
};

const database = 'ohmstead';
const store = 'keys';
const slot = 'mine';

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(database, 1);
    opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore(store));
    opening.addEventListener('success', () => resolve(opening.result));
    opening.addEventListener('error', () => reject(opening.error));
  });
}

async function inStore<T>(mode: IDBTransactionMode, work: (keys: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const db = await open();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = db.transaction(store, mode);
      const request = work(transaction.objectStore(store));
      transaction.addEventListener('complete', () => resolve(request.result));
      transaction.addEventListener('abort', () => reject(transaction.error)); // a disk that is full is told at the end
    });
  } finally {
    db.close();
  }
}

export const readKey = (): Promise<KeptKey | undefined> =>
  inStore('readonly', (keys) => keys.get(slot) as IDBRequest<KeptKey | undefined>);

export const writeKey = async (key: KeptKey): Promise<void> => {
  await inStore('readwrite', (keys) => keys.put(key, slot));
};

export const forgetKey = (): Promise<undefined> => inStore('readwrite', (keys) => keys.delete(slot));

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
