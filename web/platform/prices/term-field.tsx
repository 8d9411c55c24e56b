import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { DecimalField } from '../../parts/decimal-field.tsx';
import { setQuery } from '../../parts/router.tsx';

type TermFieldProps = {
  /** in the address of the page */
  name: 'markup' | 'vat';
  label: string;
  says: string;
  value: number | undefined;
  min: number;
  max: number;
};

const pauseMs = 500; // prices are not asked for after every key

/** A number that is written into the address of the page when the person pauses. */
export function TermField({ name, value, ...rest }: TermFieldProps) {
  const text = useSignal(value === undefined ? '' : String(value));
  useEffect(() => {
    const timer = setTimeout(() => setQuery({ [name]: text.value || undefined }), pauseMs);
    return () => clearTimeout(timer);
  }, [text.value]);
  return <DecimalField value={text} {...rest} />;
}
