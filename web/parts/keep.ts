// A browser may refuse to keep anything (private windows, full disk): the page then works without memory.
const prefix = 'ohmstead.';

const memoryIn = (storage: () => Storage) => ({
  kept(name: string): string | undefined {
    try {
      return storage().getItem(prefix + name) ?? undefined;
    } catch {
      return undefined;
    }
  },
  keep(name: string, value: string | undefined): void {
    try {
      if (value === undefined) storage().removeItem(prefix + name);
      else storage().setItem(prefix + name, value);
    } catch {
      // said above
    }
  },
});

export const { kept, keep } = memoryIn(() => localStorage);

/** Until the tab is closed. */
export const tabMemory = memoryIn(() => sessionStorage);
