import { fromBase64 } from '#contract/client/key.ts';
import { PageProblem } from '../parts/problem-words.ts';
import { texts } from '../parts/text.ts';

const t = texts({
  cannotMake: 'This browser cannot create Ed25519 keys. Use a current version of Chrome, Edge, Firefox or Safari.',
  noKey: 'This is not a private key file. A key file starts with -----BEGIN PRIVATE KEY-----.',
  otherKey: 'The key in this file cannot be used. It is damaged or not an Ed25519 key.',
});

// The key is stored in IndexedDB. After the backup it is stored as non-extractable.
export type StoredKey = {
  pair: CryptoKeyPair;
  isBackedUp: boolean;
  /** the person's name on the platform */
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

async function withStore<T>(mode: IDBTransactionMode, work: (keys: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const db = await open();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = db.transaction(store, mode);
      const request = work(transaction.objectStore(store));
      transaction.addEventListener('complete', () => resolve(request.result));
      transaction.addEventListener('abort', () => reject(transaction.error)); // a full disk is reported here
    });
  } finally {
    db.close();
  }
}

export const readKey = (): Promise<StoredKey | undefined> =>
  withStore<StoredKey | undefined>('readonly', (keys) => keys.get(slot));

export const writeKey = async (key: StoredKey): Promise<void> => {
  await withStore('readwrite', (keys) => keys.put(key, slot));
};

export const deleteKey = (): Promise<undefined> => withStore('readwrite', (keys) => keys.delete(slot));

const algorithm = 'Ed25519';

/** Creates a key. One that is extractable can be exported until it is backed up. */
export async function createKeyPair({ isExtractable }: { isExtractable: boolean }): Promise<CryptoKeyPair> {
  try {
    return await crypto.subtle.generateKey(algorithm, isExtractable, ['sign', 'verify']);
  } catch (cause) {
    throw new PageProblem('not_implemented', t('cannotMake'), {}, { cause });
  }
}

/** Exports the private key as PKCS 8 PEM, the format of the command line. */
export async function exportPem({ privateKey }: CryptoKeyPair): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.exportKey('pkcs8', privateKey));
  const lines = btoa(String.fromCharCode(...bytes)).replaceAll(/.{1,64}/g, '$&\n');
  return `-----BEGIN PRIVATE KEY-----\n${lines}-----END PRIVATE KEY-----\n`;
}

/** Imports a key file as a non-extractable key. */
export async function importPem(pem: string): Promise<CryptoKeyPair> {
  const body = /-----BEGIN PRIVATE KEY-----([\s\S]+?)-----END PRIVATE KEY-----/.exec(pem)?.[1];
  if (!body) throw new PageProblem('invalid_request', t('noKey'));
  try {
    const pkcs8 = fromBase64(body);
    const readable = await crypto.subtle.importKey('pkcs8', pkcs8, algorithm, true, ['sign']);
    const { x } = await crypto.subtle.exportKey('jwk', readable);
    if (x === undefined) throw new Error('The key has no public part.');
    return {
      privateKey: await crypto.subtle.importKey('pkcs8', pkcs8, algorithm, false, ['sign']),
      publicKey: await crypto.subtle.importKey('jwk', { kty: 'OKP', crv: algorithm, x }, algorithm, true, ['verify']),
    };
  } catch (cause) {
    throw new PageProblem('invalid_request', t('otherKey'), {}, { cause });
  }
}

/** Whether this browser can store keys for this page. */
export const canStoreKeys = (): boolean =>
  globalThis.crypto?.subtle !== undefined && globalThis.indexedDB !== undefined;
