import type { Language } from './text.ts';

export type DecimalRange = { min: number; max?: number };
export type DecimalMistake = 'noNumber' | 'unclear' | 'tooLittle' | 'tooMuch';

/** `value` is what Number reads, empty when nothing is said. */
type Decimal = { value: string; mistake?: DecimalMistake };

const decimal = /^[-−]?(\d+([.,]\d*)?|[.,]\d+)$/;
const foreignThousands: Record<Language, RegExp> = {
  en: /^[-−]?[1-9]\d{0,2},\d{3}$/,
  sv: /^[-−]?[1-9]\d{0,2}\.\d{3}$/,
};

const numberOf = (text: string): number => Number(text.replace('−', '-').replace(',', '.'));

/** A number as a person types it, with a comma or a point before the decimals, whatever the browser is used to. */
export function readDecimal(typed: string, language: Language, { min, max = Infinity }: DecimalRange): Decimal {
  const text = typed.trim();
  if (text === '') return { value: '' };
  if (!decimal.test(text)) return { value: '', mistake: 'noNumber' };
  const asThousands = numberOf(text.replace(/[.,]/, ''));
  if (foreignThousands[language].test(text) && asThousands >= min && asThousands <= max) {
    return { value: '', mistake: 'unclear' };
  }
  const value = numberOf(text);
  const mistake = value < min ? 'tooLittle' : value > max ? 'tooMuch' : undefined;
  return { value: String(value), ...(mistake && { mistake }) };
}

/** The same number as it is written in a language. */
export const writeDecimal = (value: string, language: Language): string =>
  language === 'sv' ? value.replace('.', ',') : value;
