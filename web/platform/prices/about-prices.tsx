import type { PartKind, TotalPrice } from '#contract/price/total.ts';
import { date, number } from '../../parts/format.ts';
import { texts } from '../../parts/text.ts';
import { AssumedTariffs } from '../market/assumed-tariffs.tsx';
import { partNameInSentence } from './price-words.ts';
import { kindsIn } from './slots.ts';

const t = texts({
  simulated: ['Simulated prices', 'Simulerade priser'],
  notReal: ['These are simulated prices, not market prices.', 'Priserna är simulerade, inte marknadspriser.'],
  source: ['Spot prices from {provider}, price area {area}.', 'Spotpriser från {provider}, elområde {area}.'],
  vat: ['Includes {percent}% VAT.', 'Inklusive {percent} % moms.'],
  missing: [
    'Not included: {parts}, fixed fees and power charges.',
    'Ingår inte: {parts}, fasta avgifter och effektavgifter.',
  ],
  fixed: ['Fixed fees and power charges are not included.', 'Fasta avgifter och effektavgifter ingår inte.'],
  fx: [
    'Converted at 1 EUR = {rate} {currency} ({source}, {date}).',
    'Omräknat med 1 EUR = {rate} {currency} ({source}, {date}).',
  ],
  inEuro: ['Prices in EUR, as published by the market.', 'Priser i EUR, som marknaden publicerar dem.'],
  zone: ['Times are in {zone}.', 'Tider anges i {zone}.'],
});

const expected: readonly PartKind[] = ['grid_energy', 'energy_tax', 'vat'];

/** Explains the source of the prices and what they include. */
export function AboutPrices({ price, timeZone }: { price: TotalPrice; timeZone: string | undefined }) {
  const { provider, resolved_area: area, vat_percent: percent, fx, is_simulated } = price.metadata;
  const kinds = kindsIn(price.intervals, 'total');
  const missing = expected.filter((kind) => !kinds.includes(kind)).map(partNameInSentence);
  const zone = timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <div class="about says">
      {is_simulated && <p>{t('notReal')}</p>}
      <p>
        {t('source', { provider, area })}{' '}
        {fx
          ? t('fx', {
              currency: fx.currency,
              rate: number(fx.rate, 4),
              source: fx.source,
              date: date(Date.parse(fx.date), 'UTC'),
            })
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
