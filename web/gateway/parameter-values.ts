import type { Language } from '../parts/text.ts';

const parities: Record<string, Record<Language, string>> = {
  none: { en: 'none', sv: 'ingen' },
  even: { en: 'even', sv: 'jämn' },
  odd: { en: 'odd', sv: 'udda' },
};

/** What a parameter of a connection is set to; what is no word of a language as it is. */
export const valueIn = (language: Language, name: string, value: string | number): string =>
  name === 'parity' && Object.hasOwn(parities, value) ? parities[value]![language] : String(value);
