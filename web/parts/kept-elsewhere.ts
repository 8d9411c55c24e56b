import type { Signal } from '@preact/signals';

/** What the fields take for a signal, where the value is kept elsewhere. */
export const keptElsewhere = (get: () => string, set: (value: string) => void): Signal<string> =>
  Object.defineProperty({}, 'value', { get, set }) as Signal<string>;
