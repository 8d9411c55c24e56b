import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { type DecimalRange, readDecimal, writeDecimal } from './decimal.ts';
import { number } from './format.ts';
import { language, texts } from './text.ts';

const t = texts({
  en: {
    noNumber: 'This is no number. Write it in digits, with a point or a comma before the decimals, such as 12.5.',
    unclear:
      'This can be read as thousands or as decimals. Write thousands without a separator, decimals with a point.',
    tooLittle: 'It is {min} at least.',
    tooMuch: 'It is {max} at most.',
  },
  sv: {
    noNumber: 'Det är inget tal. Skriv det med siffror, med komma eller punkt före decimalerna, som 12,5.',
    unclear: 'Det kan läsas som tusental eller som decimaler. Skriv tusental utan skiljetecken, decimaler med komma.',
    tooLittle: 'Det är minst {min}.',
    tooMuch: 'Det är högst {max}.',
  },
});

type Options = DecimalRange & { value: string; onValue(value: string): void };

/** What an input needs for a number with decimals. `value` is what Number reads, empty while there is a text that is none. */
export function useDecimal({ value, onValue, min, max = Infinity }: Options) {
  const ref = useRef<HTMLInputElement>(null);
  const typed = useSignal('');
  const read = (text: string) => readDecimal(text, language.value, { min, max });
  const isTyped = read(typed.value).value === value; // else it was given from elsewhere
  const shown = isTyped ? typed.value : writeDecimal(value, language.value);
  const { mistake } = read(shown);
  const says = mistake && t(mistake, { min: number(min), max: number(max) });
  useEffect(() => ref.current?.setCustomValidity(says ?? ''), [says]);
  return {
    mistake: says,
    input: {
      ref,
      type: 'text',
      value: shown,
      autocomplete: 'off',
      'aria-invalid': says !== undefined,
      // The decimal keys of some telephones have no minus. Where it is needed, they show all keys.
      ...(min >= 0 && { inputMode: 'decimal' }),
      onInput(event: { currentTarget: HTMLInputElement }) {
        typed.value = event.currentTarget.value;
        onValue(read(typed.value).value);
      },
    },
  } as const;
}
