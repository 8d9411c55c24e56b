import type { Store, Write } from '#cloud/store/store.ts';

class Rehearsed {
  readonly result: unknown;

  constructor(result: unknown) {
    this.result = result;
  }
}

/** Returns the answer of a change and rolls it back. */
export async function tryOut<T>(store: Pick<Store, 'transaction'>, work: (write: Write) => Promise<T>): Promise<T> {
  try {
    return await store.transaction(async (db) => {
      throw new Rehearsed(await work({ db, afterCommit: () => {}, announce: async () => {} }));
    });
  } catch (error) {
    if (error instanceof Rehearsed) return error.result as T;
    throw error;
  }
}

/** From now on every change is made, answered and rolled back, so that one world serves all requests. */
export function rehearse(store: Store): void {
  store.write = (work) => tryOut(store, work);
}
