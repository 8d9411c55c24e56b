import type { DerTypeId } from '#contract/der.ts';
import { isStaleAt } from '#contract/time.ts';
import { chargeWords, directionWords } from './der-words.ts';
import { now } from './now.ts';
import { ago, dateAndTime, texts } from './text.ts';

const t = texts({
  never: 'never',
  stale: 'Stale',
  none: 'no values yet',
});

export const isStale = (ms: number | undefined): boolean => isStaleAt(ms, now.value);

type Reading = { timestamp: number; W?: unknown; SoC_nom_fract?: unknown; vehicle_soc_fract?: unknown };

/** Returns the direction and the state of charge of a reading. */
export function readingWords(type: DerTypeId, { W, SoC_nom_fract, vehicle_soc_fract }: Reading): string {
  const charge = SoC_nom_fract ?? vehicle_soc_fract;
  const words = [typeof W === 'number' && directionWords(type, W), typeof charge === 'number' && chargeWords(charge)];
  return words.filter(Boolean).join(', ');
}

/** Shows the direction, the state of charge and the age of a reading in one line. */
export function ReadingNote({ type, reading }: { type: DerTypeId; reading: Reading | undefined }) {
  if (!reading) return <>{t('none')}</>;
  const words = readingWords(type, reading);
  return (
    <>
      {words && `${words}, `}
      <Age ms={reading.timestamp} />
    </>
  );
}

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
