import type { ComponentChildren } from 'preact';
import { Problem } from '#contract/problem.ts';
import { problemLines } from './problem-words.ts';
import { language, texts } from './text.ts';

const t = texts({
  en: { again: 'Try again', failed: 'That did not work.' },
  sv: { again: 'Försök igen', failed: 'Det gick inte.' },
});

type Tone = 'good' | 'plain' | 'warning' | 'problem';

export function Notice({ tone = 'plain', children }: { tone?: Tone; children: ComponentChildren }) {
  return (
    <div class={`notice ${tone}`} role={tone === 'problem' ? 'alert' : 'status'}>
      {children}
    </div>
  );
}

function linesOf(problem: unknown): ReturnType<typeof problemLines> {
  if (problem instanceof Problem) return problemLines(problem, language.value);
  return { says: problem instanceof Error ? problem.message : t('failed') };
}

/** What went wrong, in the words of the page; below it what only the server can tell. */
export function Failed({ problem, again }: { problem: unknown; again?: () => void }) {
  const { says, detail } = linesOf(problem);
  return (
    <Notice tone="problem">
      <p>{says}</p>
      {detail && <p lang="en">{detail}</p>}
      {again && (
        <button type="button" onClick={again}>
          {t('again')}
        </button>
      )}
    </Notice>
  );
}

/** Nothing here yet, and what to do about it. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}
