import { boundValue, type EditableValue } from '../../parts/bound-value.ts';
import { pageUrl, setQuery } from '../../parts/router.tsx';

/** A name of the address as a signal: to set it changes the address. */
export const inQuery = (name: string, usual: string): EditableValue =>
  boundValue(
    () => pageUrl.value.searchParams.get(name) ?? usual,
    (value) => setQuery({ [name]: value === usual ? undefined : value }),
  );
