import { ago, dateAndTime } from './format.ts';
import { now } from './now.ts';
import { texts } from './text.ts';

const t = texts({ en: { never: 'never', old: 'old value' }, sv: { never: 'aldrig', old: 'gammalt värde' } });

const staleMs = 60_000; // devices are read every second, and sent at once

export const isStale = (ms: number | undefined): boolean => ms === undefined || now.value - ms > staleMs;

/** How old a value is, in words; it stands out when the value is old. */
export function Age({ ms }: { ms: number | undefined }) {
  if (ms === undefined) return <span class="age stale">{t('never')}</span>;
  const isOld = isStale(ms);
  return (
    <time
      class={isOld ? 'age stale' : 'age'}
      dateTime={new Date(ms).toISOString()}
      title={isOld ? `${t('old')}, ${dateAndTime(ms)}` : dateAndTime(ms)}
    >
      {ago(ms, now.value)}
    </time>
  );
}
