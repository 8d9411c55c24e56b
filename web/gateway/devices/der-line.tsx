import { derTypeOf } from '#contract/der.ts';
import type { DerKind, DerReading } from '#contract/gateway/reading.ts';
import { ReadingNote } from '../../parts/age.tsx';
import { derWords } from '../../parts/der-words.ts';
import { Icon } from '../../parts/icon.tsx';
import { power } from '../../parts/text.ts';

const derStyle = {
  pv: { icon: 'sun', colour: 'sun' },
  battery: { icon: 'battery', colour: 'battery' },
  meter: { icon: 'grid', colour: 'grid-in' },
  v2x_charger: { icon: 'car', colour: 'car' },
} as const satisfies Record<DerKind, unknown>;

export function DerLine({ kind, reading }: { kind: DerKind; reading: DerReading | undefined }) {
  const type = derTypeOf(kind);
  const { icon, colour } = derStyle[kind];
  return (
    <li class={`der-line ${colour}`}>
      <span class="disc">
        <Icon name={icon} />
      </span>
      <span>{derWords(type)}</span>
      <b class="number">{power(typeof reading?.W === 'number' ? reading.W : undefined)}</b>
      <span class="soft">
        <ReadingNote type={type} reading={reading} />
      </span>
    </li>
  );
}
