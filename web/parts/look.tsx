import { computed, type Signal } from '@preact/signals';
import { Segments } from './field.tsx';
import { type Language, language, languages, speak, texts } from './text.ts';
import { type Theme, theme, themes, wear } from './theme.ts';

const t = texts({
  en: { language: 'Language', theme: 'Colours', system: 'As the device', light: 'Light', dark: 'Dark' },
  sv: { language: 'Språk', theme: 'Färger', system: 'Som enheten', light: 'Ljust', dark: 'Mörkt' },
});

/** A signal whose setting goes through `set`. */
const through = <T extends string>(from: Signal<T>, set: (value: T) => void): Signal<string> =>
  Object.defineProperty({}, 'value', { get: () => from.value, set }) as Signal<string>;

const chosenTheme = through<Theme>(theme, wear);
const chosenLanguage = through<Language>(language, speak);
const languageChoices = computed(() => Object.entries(languages).map(([value, label]) => ({ value, label })));

/** How the pages look and speak. */
export function Look() {
  return (
    <div class="actions">
      <Segments label={t('language')} value={chosenLanguage} choices={languageChoices.value} />
      <Segments label={t('theme')} value={chosenTheme} choices={themes.map((value) => ({ value, label: t(value) }))} />
    </div>
  );
}
