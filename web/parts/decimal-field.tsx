import type { Signal } from '@preact/signals';
import type { DecimalRange } from './decimal.ts';
import { writeDecimal } from './decimal.ts';
import { Framed } from './field.tsx';
import { language } from './text.ts';
import { useDecimal } from './use-decimal.ts';

type Props = DecimalRange & {
  label: string;
  value: Signal<string>;
  says?: string;
  required?: boolean;
  placeholder?: string;
};

/** A number with decimals. The mistake is told below it, and no form is sent with it. */
export function DecimalField({ label, says, value, min, max, required = false, placeholder = '' }: Props) {
  const { input, mistake } = useDecimal({
    value: value.value,
    onValue: (given) => {
      value.value = given;
    },
    min,
    ...(max !== undefined && { max }),
  });
  return (
    <Framed label={label} {...(says && { says })} {...(mistake && { mistake })}>
      {(id, describedBy) => (
        <input
          id={id}
          aria-describedby={describedBy}
          required={required}
          placeholder={writeDecimal(placeholder, language.value)}
          {...input}
        />
      )}
    </Framed>
  );
}
