import type { PartKind } from '#contract/price/total.ts';
import { texts } from '../../parts/text.ts';
import { partName } from './price-words.ts';

const t = texts({
  en: { legend: 'What the colours mean', sum: 'Total', window: 'Cheapest window', unknown: 'Not known' },
  sv: { legend: 'Vad färgerna betyder', sum: 'Totalt', window: 'Billigaste perioden', unknown: 'Inte känt' },
});

type LegendProps = {
  unit: string;
  kinds: readonly PartKind[];
  hasSums: boolean;
  hasWindow: boolean;
  hasUnknown: boolean;
};

export function Legend({ unit, kinds, hasSums, hasWindow, hasUnknown }: LegendProps) {
  const entries = [
    ...kinds.map((kind) => [kind, partName(kind)]),
    ...(hasSums ? [['sum', t('sum')]] : []),
    ...(hasWindow ? [['window', t('window')]] : []),
    ...(hasUnknown ? [['unknown', t('unknown')]] : []),
  ] as [name: string, words: string][];
  return (
    <div class="price-legend">
      <span>{unit}</span>
      <ul aria-label={t('legend')}>
        {entries.map(([name, words]) => (
          <li key={name}>
            <span class={`price-swatch ${name}`} />
            {words}
          </li>
        ))}
      </ul>
    </div>
  );
}
