import { energy } from '../../parts/format.ts';
import { texts } from '../../parts/text.ts';
import type { PricedImport } from './use-cost.ts';

const t = texts({
  en: {
    holds:
      'The cost is that of what came from the grid, with {parts}; without fixed fees, power charges and what was sold.',
    partly: 'A price is known for {priced} of {imported}.',
    spot: 'spot price',
    markup: 'markup',
    grid_energy: 'grid fee',
    energy_tax: 'energy tax',
    vat: 'VAT',
  },
  sv: {
    holds:
      'Kostnaden gäller det som kom från elnätet, med {parts}; utan fasta avgifter, effektavgifter och det som såldes.',
    partly: 'Priset är känt för {priced} av {imported}.',
    spot: 'spotpris',
    markup: 'påslag',
    grid_energy: 'nätavgift',
    energy_tax: 'energiskatt',
    vat: 'moms',
  },
});

const nearlyAll = 0.995;

/** What is in the cost and what is not. */
export function CostNote({ cost, imported }: { cost: PricedImport; imported: number }) {
  const { parts, priced } = cost;
  return (
    <p class="says">
      {t('holds', { parts: parts.map((kind) => t(kind)).join(', ') })}{' '}
      {priced < imported * nearlyAll && t('partly', { priced: energy(priced), imported: energy(imported) })}
    </p>
  );
}
