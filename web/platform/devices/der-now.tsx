import type { SiteReading } from '#contract/client/site-events.ts';
import type { DerTypeId } from '#contract/der.ts';
import { isStale } from '../../parts/age.tsx';
import { derWords } from '../../parts/der-words.ts';
import { directionWords } from '../../parts/direction.ts';
import { percent, power } from '../../parts/format.ts';
import { texts } from '../../parts/text.ts';

const t = texts({
  en: { nothing: 'no value', last: 'last', full: '{percent} full' },
  sv: { nothing: 'inget värde', last: 'senast', full: '{percent} laddat' },
});

type DerNowProps = { type: DerTypeId; reading: SiteReading | undefined };

/** What a DER does now, in words; what it did last when that is over. */
export function DerNow({ type, reading }: DerNowProps) {
  const { W: watts, SoC_nom_fract: charge, vehicle_soc_fract: car } = reading ?? {};
  const fraction = charge ?? car;
  return (
    <span class="der-now">
      <span class="says">{derWords(type)}</span>{' '}
      {watts === undefined ? (
        t('nothing')
      ) : (
        <>
          {isStale(reading?.timestamp) && `${t('last')} `}
          <b>{power(watts)}</b> {directionWords(type, watts)}
          {fraction !== undefined && `, ${t('full', { percent: percent(fraction) })}`}
        </>
      )}
    </span>
  );
}
