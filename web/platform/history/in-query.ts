import type { Signal } from '@preact/signals';
import { place, setQuery } from '../../parts/router.tsx';

/** What the fields take for a signal, where the value is kept elsewhere. */
export const keptElsewhere = (get: () => string, set: (value: string) => void): Signal<string> =>
  Object.defineProperty({}, 'value', { get, set }) as Signal<string>;

/** A name of the address as a signal: to set it changes the address. */
export const inQuery = (name: string, usual: string): Signal<string> =>
  keptElsewhere(
    () => place.value.searchParams.get(name) ?? usual,
    (value) => setQuery({ [name]: value === usual ? undefined : value }),
  );
