import { isStaleAt } from '#contract/time.ts';
import { ago, dateAndTime } from './format.ts';
import { now } from './now.ts';
import { texts } from './text.ts';

const t = texts({
  never: ['never', 'aldrig'],
  stale: ['Stale', 'Inaktuellt värde'],
});

export const isStale = (ms: number | undefined): boolean => isStaleAt(ms, now.value);

/** Shows how old a value is, and highlights one that is stale. */
export function Age({ ms }: { ms: number | undefined }) {
  if (ms === undefined) return <span class="age stale">{t('never')}</span>;
  const isOld = isStale(ms);
  return (
    <time
      class={isOld ? 'age stale' : 'age'}
      dateTime={new Date(ms).toISOString()}
      title={isOld ? `${t('stale')}, ${dateAndTime(ms)}` : dateAndTime(ms)}
    >
      {ago(ms, now.value)}
    </time>
  );
}
