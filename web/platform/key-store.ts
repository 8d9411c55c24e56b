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
