import type { TotalPrice } from '#contract/price/total.ts';
import { texts } from '../../parts/text.ts';

const t = texts({
  en: {
    assumed:
      'The price list of the grid tariff was valid until {date}. Its last known prices are used; they may have changed.',
  },
  sv: {
    assumed: 'Elnätstariffens prislista gällde till {date}. De senast kända priserna används och kan ha ändrats.',
  },
});

/** Says which expired price lists were used. */
export function AssumedTariffs({
  of: { assumed_tariffs = [] },
}: {
  of: Pick<TotalPrice['metadata'], 'assumed_tariffs'>;
}) {
  return (
    <>
      {assumed_tariffs.map(({ id, validPeriod }) => (
        <p key={id} class="says">
          {t('assumed', { date: validPeriod.toExcluding })}
        </p>
      ))}
    </>
  );
}
