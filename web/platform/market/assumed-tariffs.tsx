import type { TotalPrice } from '#contract/price/total.ts';
import { date } from '../../parts/format.ts';
import { texts } from '../../parts/text.ts';

const t = texts({
  assumed: [
    'The grid tariff’s price list expired on {date}. The last known prices are used and may have changed.',
    'Elnätstariffens prislista gällde till {date}. De senast kända priserna används och kan ha ändrats.',
  ],
});

export function AssumedTariffs({
  of: { assumed_tariffs = [] },
}: {
  of: Pick<TotalPrice['metadata'], 'assumed_tariffs'>;
}) {
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
