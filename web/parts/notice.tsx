import type { ComponentChildren } from 'preact';
import { Problem } from '#contract/problem.ts';
import { texts } from './text.ts';

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

/** What a failure says to a person. */
export function sentenceOf(problem: unknown): string {
  if (problem instanceof Problem) {
    const fields = problem.details.errors?.map(({ path, message }) => `${path} ${message}`) ?? [];
    return [problem.message, ...fields].join(' ');
  }
  return problem instanceof Error ? problem.message : t('failed');
}

export function Failed({ problem, again }: { problem: unknown; again?: () => void }) {
  return (
    <Notice tone="problem">
      <p>{sentenceOf(problem)}</p>
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
