import { boundValue, type EditableValue } from '../../parts/bound-value.ts';
import { pageUrl, setQuery } from '../../parts/router.tsx';

/** Returns a signal that reads and writes a query parameter of the address. */
export const queryParameter = (name: string, usual: string): EditableValue =>
  boundValue(
    () => pageUrl.value.searchParams.get(name) ?? usual,
    (value) => setQuery({ [name]: value === usual ? undefined : value }),
  );
