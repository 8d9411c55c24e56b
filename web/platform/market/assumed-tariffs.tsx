import type { TotalPrice } from '#contract/price/total.ts';
import { date, texts } from '../../parts/text.ts';

const t = texts({
  simulated: 'Simulated prices',
  assumed: 'The grid tariff’s price list expired on {date}. The last known prices are used and may have changed.',
});

type MetadataProps = { of: Pick<TotalPrice['metadata'], 'is_simulated' | 'assumed_tariffs'> };

export const SimulatedTag = ({ of: { is_simulated } }: MetadataProps) =>
  is_simulated ? <span class="tag warning">{t('simulated')}</span> : null;

export function AssumedTariffs({ of: { assumed_tariffs = [] } }: MetadataProps) {
  return (
    <>
      {assumed_tariffs.map(({ id, validPeriod }) => (
        <p key={id} class="says">
          {t('assumed', { date: date(Date.parse(validPeriod.toExcluding), 'UTC') })}
        </p>
      ))}
    </>
  );
}
