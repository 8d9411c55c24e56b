import type { ElectricityPrices } from '#contract/price/electricity.ts';
import { formatTime } from '#contract/time.ts';
import { rounded } from './hours.ts';
import type { PriceDay, Rate } from './prices.ts';
import type { Question } from './question.ts';
import { knownSources } from './sources.ts';

type Found = {
  /** at least one, with points of the resolution that is asked for */
  days: readonly PriceDay[];
  rate: Rate;
  /** whether all of it was there before the question */
  isCached: boolean;
  missing: readonly string[];
};

/** The answer in the words of the interface. Its age is left at 0. */
export function composeAnswer(question: Question, { days, rate, isCached, missing }: Found): ElectricityPrices {
  const { name, area, resolution, currency, isCurrent } = question;
  const providers = [...new Set(days.map(({ source }) => source))];
  const prices = days.flatMap(({ points, source }) =>
    points.map(({ start, eur_per_mwh }) => ({
      datetime: `${formatTime(start).slice(0, 19)}+00:00`,
      price: currency === 'EUR' ? eur_per_mwh : rounded(eur_per_mwh * rate.perEuro),
      ...(providers.length > 1 && { provider: source }),
    })),
  );
  const updated = formatTime(Math.max(...days.map(({ fetchedAt }) => fetchedAt)));
  return {
    area: name,
    area_name: area.country,
    currency,
    unit: 'MWh',
    resolution,
    timezone: 'UTC',
    prices,
    metadata: {
      provider: providers.join(', '),
      data_source: providers.map(describe).join(', '),
      fetched_at: updated,
      start_time: formatTime(Date.parse(prices[0]!.datetime)),
      last_updated: updated,
      total_points: prices.length,
      cached: isCached,
      ...(name !== area.code && { resolved_area: area.code }),
      ...(missing.length > 0 && !isCurrent && { missing_dates: [...missing] }),
      ...(currency !== 'EUR' && { fx: { rate: rate.perEuro, date: rate.date, source: rate.source } }),
      age: 0,
    },
  };
}

const describe = (provider: string): string =>
  knownSources.find(({ name }) => name === provider)?.description ?? provider;
