import { signal } from '@preact/signals';
import { readStored, store } from './storage.ts';

export const languages = { en: 'English', sv: 'Svenska' } as const;
export type Language = keyof typeof languages;

const isLanguage = (tag: string | undefined): tag is Language => tag !== undefined && Object.hasOwn(languages, tag);

const preferred = [readStored('language'), ...navigator.languages.map((tag) => tag.slice(0, 2))];

/** The language of the pages: the stored choice, or the first browser language that the pages have. */
export const language = signal<Language>(preferred.find(isLanguage) ?? 'en');

export function setLanguage(tag: Language): void {
  store('language', tag);
  language.value = tag;
}

/** Returns a text for use within a sentence; abbreviations such as VAT stay in capitals. */
export const inSentence = (text: string): string =>
  text.replace(/^\p{Lu}(?=\p{Ll})/u, (letter) => letter.toLowerCase());

type Values = Record<string, string | number>;

/** Returns a lookup of these texts in the current language; `{name}` in a text is replaced by a value. */
export function texts<Key extends string>(table: Readonly<Record<Key, readonly [en: string, sv: string]>>) {
  const textOf = (key: Key, values?: Values): string => {
    const text = table[key][language.value === 'sv' ? 1 : 0];
    return values ? text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? '')) : text;
  };
  const has = (name: string): name is Key => Object.hasOwn(table, name);
  /** Returns the text of a name that may be unknown, or the name itself. */
  const orName = (name: string): string => (has(name) ? textOf(name) : name);
  return Object.assign(textOf, { has, orName });
}
