import { derTypeOf } from '#contract/der.ts';
import type { DerKind, DerReading } from '#contract/gateway/reading.ts';
import { Age } from '../../parts/age.tsx';
import { derWords, directionWords } from '../../parts/der-words.ts';
import { percent, power } from '../../parts/format.ts';
import { Icon, type IconName } from '../../parts/icon.tsx';
import { texts } from '../../parts/text.ts';

/** The icon and the colour class of a DER. */
const derStyle: Record<DerKind, { icon: IconName; colour: string }> = {
  pv: { icon: 'sun', colour: 'sun' },
  battery: { icon: 'battery', colour: 'battery' },
  meter: { icon: 'grid', colour: 'grid-in' },
  v2x_charger: { icon: 'car', colour: 'car' },
};

const t = texts({
  unknown: ['no values yet', 'inga värden ännu'],
  charge: ['{percent} charged', '{percent} laddat'],
});

/** Shows a DER with its power, direction, state of charge and age in one line. */
export function DerLine({ kind, reading }: { kind: DerKind; reading: DerReading | undefined }) {
  const type = derTypeOf(kind);
  const watts = typeof reading?.W === 'number' ? reading.W : undefined;
  const charge = reading?.SoC_nom_fract ?? reading?.vehicle_soc_fract;
  const words = [
    ...(watts === undefined ? [] : [directionWords(type, watts)]),
    ...(typeof charge === 'number' ? [t('charge', { percent: percent(charge) })] : []),
  ];
  const { icon, colour } = derStyle[kind];
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
