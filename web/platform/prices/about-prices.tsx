import type { PartKind, TotalPrice } from '#contract/price/total.ts';
import { number } from '../../parts/format.ts';
import { texts } from '../../parts/text.ts';
import { AssumedTariffs } from '../market/assumed-tariffs.tsx';
import { partName } from './price-words.ts';
import { kindsIn } from './slots.ts';

const t = texts({
  en: {
    simulated: 'Simulated market',
    notReal: 'The market is simulated: these are not prices that anybody pays.',
    source: 'Spot prices from {provider}, area {area}.',
    vat: 'VAT of {percent} % is included.',
    missing: 'Not included: {parts}. Fixed fees and power charges do not depend on a single kilowatt-hour.',
    fixed: 'Fixed fees and power charges do not depend on a single kilowatt-hour and are not included.',
    fx: 'In {currency}: 1 EUR is {rate} {currency}, {source}, {date}.',
    inEuro: 'In EUR, as the market tells them.',
    zone: 'Times are those of {zone}.',
  },
  sv: {
    simulated: 'Simulerad marknad',
    notReal: 'Marknaden är simulerad: det här är inga priser som någon betalar.',
    source: 'Spotpriser från {provider}, elområde {area}.',
    vat: 'Moms på {percent} % ingår.',
    missing: 'Ingår inte: {parts}. Fasta avgifter och effektavgifter beror inte på den enskilda kilowattimmen.',
    fixed: 'Fasta avgifter och effektavgifter beror inte på den enskilda kilowattimmen och ingår inte.',
    fx: 'I {currency}: 1 EUR är {rate} {currency}, {source}, {date}.',
    inEuro: 'I EUR, som marknaden anger dem.',
    zone: 'Tiderna gäller {zone}.',
  },
});

const expected: readonly PartKind[] = ['grid_energy', 'energy_tax', 'vat'];

/** Where the prices are from, and what is in them. */
export function AboutPrices({ price, timeZone }: { price: TotalPrice; timeZone: string | undefined }) {
  const { provider, resolved_area: area, vat_percent: percent, fx, is_simulated } = price.metadata;
  const kinds = kindsIn(price.intervals, 'total');
  const missing = expected.filter((kind) => !kinds.includes(kind)).map(partName);
  const zone = timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <div class="about says">
      {is_simulated && <p>{t('notReal')}</p>}
      <p>
        {t('source', { provider, area })}{' '}
        {fx
          ? t('fx', { currency: fx.currency, rate: number(fx.rate, 4), source: fx.source, date: fx.date })
          : t('inEuro')}
      </p>
      <p>
        {kinds.includes('vat') && `${t('vat', { percent: number(percent) })} `}
        {missing.length > 0 ? t('missing', { parts: missing.join(', ') }) : t('fixed')}
      </p>
      <AssumedTariffs of={price.metadata} />
      <p>{t('zone', { zone })}</p>
    </div>
  );
}

export const SimulatedTag = () => <span class="tag warning">{t('simulated')}</span>;
