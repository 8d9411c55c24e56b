import { signal } from '@preact/signals';
import { editable } from './bound-value.ts';
import { choicesOf, Segments } from './field.tsx';
import { readStored, store } from './storage.ts';
import { language, languages, setLanguage, texts } from './text.ts';

const t = texts({
  language: ['Language', 'Språk'],
  en: ['English', 'English'],
  sv: ['Svenska', 'Svenska'],
  theme: ['Theme', 'Tema'],
  system: ['System', 'Följ systemet'],
  light: ['Light', 'Ljust'],
  dark: ['Dark', 'Mörkt'],
});

const themes = ['system', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];

export const theme = signal<Theme>(themes.find((name) => name === readStored('theme')) ?? 'system');

theme.subscribe((name) => {
  document.documentElement.dataset.theme = name;
  store('theme', name === 'system' ? undefined : name);
});

language.subscribe((tag) => {
  document.documentElement.lang = tag;
});

export function Appearance() {
  return (
    <div class="actions">
      <Segments label={t('language')} value={editable(language.value, setLanguage)} choices={choicesOf(languages, t)} />
      <Segments label={t('theme')} value={theme} choices={choicesOf(themes, t)} />
    </div>
  );
}
