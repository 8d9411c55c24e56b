import { energy } from '../../parts/format.ts';
import { texts } from '../../parts/text.ts';
import { mostDaysByQuarter, type PricedImport } from './use-cost.ts';

const t = texts({
  en: {
    holds:
      'The cost is that of what came from the grid, with {parts}; without fixed fees, power charges and what was sold.',
    partly: 'A price is known for {priced} of {imported}.',
    byHour:
      'Over more than {days} days every kilowatt-hour is counted at the mean price of its hour, over fewer at that of its quarter; so the same import can cost a little more or less.',
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
    byHour:
      'Över mer än {days} dagar räknas varje kilowattimme till medelpriset för sin timme, över färre till priset för sin kvart; därför kan samma import kosta lite mer eller mindre.',
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
  const { parts, priced, isByHour } = cost;
  return (
    <p class="says">
      {t('holds', { parts: parts.map((kind) => t(kind)).join(', ') })}{' '}
      {priced < imported * nearlyAll && t('partly', { priced: energy(priced), imported: energy(imported) })}{' '}
      {isByHour && t('byHour', { days: mostDaysByQuarter })}
    </p>
  );
}
