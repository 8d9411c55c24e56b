import type { ComponentChildren } from 'preact';
import { Problem } from '#contract/problem.ts';
import { describeProblem } from './problem-words.ts';
import { language, texts } from './text.ts';

const t = texts({
  again: ['Try again', 'Försök igen'],
  failed: ['Something went wrong.', 'Något gick fel.'],
  loading: ['Loading', 'Läser in'],
});

type Tone = 'good' | 'plain' | 'warning' | 'problem';

export function Notice({ tone = 'plain', children }: { tone?: Tone; children: ComponentChildren }) {
  return (
    <div class={`notice ${tone}`} role={tone === 'problem' ? 'alert' : 'status'}>
      {children}
    </div>
  );
}

function problemText(problem: unknown): ReturnType<typeof describeProblem> {
  if (problem instanceof Problem) return describeProblem(problem, language.value);
  return { says: problem instanceof Error ? problem.message : t('failed') };
}

/** Shows a problem, if any, in the language of the page, and below it the detail that the server sent in English. */
export function Failed({ problem, again }: { problem: unknown; again?: () => void }) {
  if (problem === undefined) return null;
  const { says, detail } = problemText(problem);
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

/** Shows that there is nothing yet, and what to do about it. */
export function Empty({ title, says, children }: { title: string; says?: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {says && <p class="says">{says}</p>}
      {children}
    </div>
  );
}

export function Loading({ lines = 3 }: { lines?: number }) {
  return (
    <div class="loading" role="status" aria-label={t('loading')}>
      {Array.from({ length: lines }, (_, i) => (
        <span key={i} />
      ))}
    </div>
  );
}
