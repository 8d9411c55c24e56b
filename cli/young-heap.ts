import { setFlagsFromString } from 'node:v8';

const mayGrow = (factor: number): void => setFlagsFromString(`--semi-space-growth-factor=${factor}`);

/** While a program is loaded nearly everything stays, so that room for garbage would be taken and never be used. */
export function keepYoungHeapSmall(): void {
  setFlagsFromString('--max-semi-space-size=4'); // MB, of threads that start later
  mayGrow(1);
}

/**
 * Loads the first files of a large program, which are enough for one step from 1 MB to 4: the platform would be searched
 * for garbage seventy times before it answers, and is twelve times.
 */
export async function withLargerYoungHeap<T>(load: () => Promise<T>): Promise<T> {
  mayGrow(4);
  try {
    return await load();
  } finally {
    mayGrow(1);
  }
}

/** Room for garbage as load needs it: the default of V8. */
export const letYoungHeapGrow = (): void => mayGrow(2);
