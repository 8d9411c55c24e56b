import { signal } from '@preact/signals';
import { boundValue } from './bound-value.ts';
import { choicesOf, Segments } from './field.tsx';
import { readStored, store } from './storage.ts';
import { language, languages, setLanguage, texts } from './text.ts';

const t = texts({
  language: ['Language', 'Språk'],
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
});

language.subscribe((tag) => {
  document.documentElement.lang = tag;
});

function setTheme(name: Theme): void {
  store('theme', name === 'system' ? undefined : name);
  theme.value = name;
}

const chosenTheme = boundValue(
  () => theme.value,
  (name) => setTheme(themes.find((known) => known === name) ?? 'system'),
);
const chosenLanguage = boundValue(
  () => language.value,
  (tag) => setLanguage(tag === 'sv' ? 'sv' : 'en'),
);
const languageChoices = Object.entries(languages).map(([value, label]) => ({ value, label }));

export function Appearance() {
  return (
    <div class="actions">
      <Segments label={t('language')} value={chosenLanguage} choices={languageChoices} />
      <Segments label={t('theme')} value={chosenTheme} choices={choicesOf(themes, t)} />
    </div>
  );
}
