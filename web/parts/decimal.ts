import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { EditableValue } from './bound-value.ts';
import { decimalSeparator, type Language, language, number, texts } from './text.ts';

export type DecimalRange = { min: number; max?: number | undefined };
export type DecimalMistake = 'noNumber' | 'unclear' | 'tooLittle' | 'tooMuch';

/** `value` can be read by Number; it is empty when nothing valid was typed. */
type Decimal = { value: string; mistake?: DecimalMistake };

const decimal = /^[-−]?(\d+([.,]\d*)?|[.,]\d+)$/;
const thousands = /^[-−]?[1-9]\d{0,2}([.,])\d{3}$/;

const numberOf = (text: string): number => Number(text.replace('−', '-').replace(',', '.'));

/** Reads a number as people type it, with a decimal comma or a decimal point in every language. */
export function readDecimal(typed: string, language: Language, { min, max = Infinity }: DecimalRange): Decimal {
  const text = typed.trim();
  if (text === '') return { value: '' };
  if (!decimal.test(text)) return { value: '', mistake: 'noNumber' };
  const asThousands = numberOf(text.replace(/[.,]/, ''));
  const separator = thousands.exec(text)?.[1];
  const isForeign = separator !== undefined && separator !== decimalSeparator(language);
  if (isForeign && asThousands >= min && asThousands <= max) {
    return { value: '', mistake: 'unclear' };
  }
  const value = numberOf(text);
  const mistake = value < min ? 'tooLittle' : value > max ? 'tooMuch' : undefined;
  return { value: String(value), ...(mistake && { mistake }) };
}

export const writeDecimal = (value: string, language: Language): string =>
  value.replace('.', decimalSeparator(language));

const t = texts({
  noNumber: 'Enter a number, such as 12.5.',
  unclear: 'This could mean thousands or decimals. Enter thousands without a separator, and decimals after a point.',
  tooLittle: 'Must be at least {min}.',
  tooMuch: 'Must be at most {max}.',
});

/** Returns the props of an input for a number with decimals, and its mistake in words. `value` is empty while the text is not a number. */
export function useDecimal({ value: bound, min, max = Infinity }: DecimalRange & { value: EditableValue }) {
  const { value } = bound;
  const ref = useRef<HTMLInputElement>(null);
  const typed = useSignal('');
  const read = (text: string) => readDecimal(text, language.value, { min, max });
  const isTyped = read(typed.value).value === value; // otherwise the page has set another value
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
      // Some phones have no minus sign among their decimal keys.
      ...(min >= 0 && { inputMode: 'decimal' }),
      onInput(event: { currentTarget: HTMLInputElement }) {
        typed.value = event.currentTarget.value;
        bound.value = read(typed.value).value;
      },
    },
  } as const;
}
