import { signal, useSignal } from '@preact/signals';
import { type ComponentChildren, render } from 'preact';
import { useAction } from './action.tsx';
import { editable } from './bound-value.ts';
import { choicesOf, Segments } from './field.tsx';
import { Failed } from './layout.tsx';
import { PageProblem } from './problem-words.ts';
import { readStored, store } from './storage.ts';
import {
  type Language,
  language,
  languageName,
  languages,
  loadAllTexts,
  setLanguage,
  showPreferredLanguage,
  texts,
} from './text.ts';

const t = texts({
  language: 'Language',
  notLoaded: 'The language could not be loaded. The connection may be lost, or Ohmstead has been updated.',
  theme: 'Theme',
  system: 'theme|System',
  light: 'Light',
  dark: 'Dark',
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

/** Renders the pages once their language is loaded; `allTexts` loads the texts of all pages with it. */
export async function renderPages(pages: ComponentChildren, { allTexts = false } = {}): Promise<void> {
  if (allTexts) await loadAllTexts();
  await showPreferredLanguage();
  render(pages, document.getElementById('page')!);
}

export function Appearance() {
  const chosen = useSignal(language.value);
  const change = useAction(() =>
    setLanguage(chosen.value).catch((cause: unknown) => {
      throw new PageProblem('unavailable', t('notLoaded'), {}, { cause });
    }),
  );
  const choose = (tag: Language): void => {
    chosen.value = tag;
    void change.run();
  };
  return (
    <>
      <div class="actions">
        <Segments
          label={t('language')}
          value={editable(change.isBusy ? chosen.value : language.value, choose)}
          choices={choicesOf(languages, languageName)}
        />
        <Segments label={t('theme')} value={theme} choices={choicesOf(themes, t)} />
      </div>
      <Failed problem={change.problem} />
    </>
  );
}
