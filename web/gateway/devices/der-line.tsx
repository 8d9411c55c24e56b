import { derTypeOf } from '#contract/der.ts';
import type { DerKind, DerReading } from '#contract/gateway/reading.ts';
import { Age } from '../../parts/age.tsx';
import { derWords, directionWords } from '../../parts/der-words.ts';
import { percent, power } from '../../parts/format.ts';
import { Icon } from '../../parts/icon.tsx';
import { texts } from '../../parts/text.ts';
import { derLook } from '../der-look.ts';

const t = texts({
  en: { unknown: 'nothing heard yet', charge: '{percent} full' },
  sv: { unknown: 'inget hört ännu', charge: '{percent} laddat' },
});

/** One DER in a line: what it is, its power, which way it flows, and how old that is. */
export function DerLine({ kind, reading }: { kind: DerKind; reading: DerReading | undefined }) {
  const type = derTypeOf(kind)!;
  const watts = typeof reading?.W === 'number' ? reading.W : undefined;
  const charge = reading?.SoC_nom_fract ?? reading?.vehicle_soc_fract;
  const words = [
    ...(watts === undefined ? [] : [directionWords(type, watts)]),
    ...(typeof charge === 'number' ? [t('charge', { percent: percent(charge) })] : []),
  ];
  const { icon, colour } = derLook[kind];
  return (
    <li class={`der-line ${colour}`}>
      <span class="disc">
        <Icon name={icon} />
      </span>
      <span>{derWords(type)}</span>
      <b class="number">{power(watts)}</b>
      <span class="soft">
        {reading ? (
          <>
            {words.map((word) => `${word}, `)}
            <Age ms={reading.timestamp} />
          </>
        ) : (
          t('unknown')
        )}
      </span>
    </li>
  );
}
