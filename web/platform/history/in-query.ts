import type { Signal } from '@preact/signals';
import { keptElsewhere } from '../../parts/kept-elsewhere.ts';
import { place, setQuery } from '../../parts/router.tsx';

/** A name of the address as a signal: to set it changes the address. */
export const inQuery = (name: string, usual: string): Signal<string> =>
  keptElsewhere(
    () => place.value.searchParams.get(name) ?? usual,
    (value) => setQuery({ [name]: value === usual ? undefined : value }),
  );
