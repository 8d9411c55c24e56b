import type { ElectricityPrices } from '#contract/price/electricity.ts';
import { formatTime } from '#contract/time.ts';
import { etagOf } from '#lib/http/etag.ts';
import { lastFetchedAt, type PriceDay, providersOf, type Rate, rounded } from './market-day.ts';
import type { PriceQuery } from './price-query.ts';
import { knownSources } from './sources.ts';

type Found = {
  /** at least one, with points of the requested resolution */
  days: readonly PriceDay[];
  rate: Rate;
  /** whether every day was already known before the request */
  isCached: boolean;
  missing: readonly string[];
};

/** Builds the answer as the interface defines it. Its age is set when it is sent. */
export function composeAnswer(query: PriceQuery, { days, rate, isCached, missing }: Found): ElectricityPrices {
  const { name, area, resolution, currency, isCurrent } = query;
  const providers = providersOf(days);
  const prices = days.flatMap(({ points, source }) =>
    points.map(({ start, eur_per_mwh }) => ({
      datetime: `${formatTime(start).slice(0, 19)}+00:00`,
      price: currency === 'EUR' ? eur_per_mwh : rounded(eur_per_mwh * rate.perEuro),
      ...(providers.length > 1 && { provider: source }),
    })),
  );
  const updated = formatTime(lastFetchedAt(days));
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
      start_time: formatTime(Math.min(...days.flatMap(({ points }) => points.map(({ start }) => start)))),
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

/** A serialized answer without its age, which is its last number. */
export type CachedAnswer = ReturnType<typeof serializeAnswer>;

const tail = '}}';

/** Serializes an answer. Its ETag is weak and does not cover the age, because the prices are the same a second later. */
export function serializeAnswer(answer: ElectricityPrices, writtenAt: number, validUntil: number) {
  const { age: _, ...metadata } = answer.metadata;
  const text = JSON.stringify({ ...answer, metadata });
  const head = `${text.slice(0, -tail.length)},"age":`;
  const headers = { etag: `W/${etagOf(head)}` };
  return { head, headers, updatedAt: Date.parse(metadata.last_updated), writtenAt, validUntil };
}

export const textWithAge = ({ head, updatedAt }: CachedAnswer, now: number): string =>
  `${head}${Math.max(0, Math.floor((now - updatedAt) / 1000))}${tail}`;
