import { texts } from '../../parts/text.ts';
import { mostDaysByQuarter, type PricedImport } from './use-cost.ts';

const t = texts({
  en: {
    holds:
      'The cost is that of what came from the grid, with {parts}; without fixed fees, power charges and what was sold.',
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
    byHour:
      'Över mer än {days} dagar räknas varje kilowattimme till medelpriset för sin timme, över färre till priset för sin kvart; därför kan samma import kosta lite mer eller mindre.',
    spot: 'spotpris',
    markup: 'påslag',
    grid_energy: 'nätavgift',
    energy_tax: 'energiskatt',
    vat: 'moms',
  },
});

/** What is in the cost and what is not. */
export function CostNote({ cost: { parts, isByHour } }: { cost: PricedImport }) {
  return (
    <p class="says">
      {t('holds', { parts: parts.map((kind) => t(kind)).join(', ') })}{' '}
      {isByHour && t('byHour', { days: mostDaysByQuarter })}
    </p>
  );
}
