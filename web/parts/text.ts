import { signal } from '@preact/signals';
import { keep, kept } from './keep.ts';

export const languages = { en: 'English', sv: 'Svenska' } as const;
export type Language = keyof typeof languages;

const isLanguage = (word: string | undefined): word is Language => word !== undefined && Object.hasOwn(languages, word);

const ofBrowser = (): Language => navigator.languages.map((tag) => tag.slice(0, 2)).find(isLanguage) ?? 'en';

export const language = signal<Language>(isLanguage(kept('language')) ? (kept('language') as Language) : ofBrowser());

language.subscribe((word) => {
  document.documentElement.lang = word;
});

export function speak(word: Language): void {
  keep('language', word);
  language.value = word;
}

type Values = Record<string, string | number>;

/** The words of one part of the pages. Whoever shows them follows the language; {name} stands for a value. */
export const texts =
  <const Words extends Record<string, string>>(words: { en: Words; sv: Record<keyof Words, string> }) =>
  (key: keyof Words & string, values?: Values): string => {
    const text: string = words[language.value][key];
    return values ? text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? '')) : text;
  };
