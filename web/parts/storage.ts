const prefix = 'ohmstead.';

/** Wraps a browser storage. Where the browser denies access (private window, full disk), nothing is stored. */
const storageOf = (storage: () => Storage) => ({
  readStored(name: string): string | undefined {
    try {
      return storage().getItem(prefix + name) ?? undefined;
    } catch {
      return undefined;
    }
  },
  store(name: string, value: string | undefined): void {
    try {
      if (value === undefined) storage().removeItem(prefix + name);
      else storage().setItem(prefix + name, value);
    } catch {
      // The page works without stored values.
    }
  },
});

export const { readStored, store } = storageOf(() => localStorage);

/** Stores values until the tab is closed. */
export const tabStorage = storageOf(() => sessionStorage);
