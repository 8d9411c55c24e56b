import { hash } from 'node:crypto';
import type { ElectricityPrices } from '#contract/price/electricity.ts';
import { formatTime } from '#contract/time.ts';
import { RecentMap } from '#lib/recent-map.ts';
import type { PriceDay, Rate } from './market-day.ts';
import { rounded } from './market-day.ts';
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

/** A serialized answer up to its age, which is its last number, and the complete text of the second in which it was last sent. */
export type CachedAnswer = {
  head: string;
  headers: Record<string, string>;
  updatedAt: number;
  writtenAt: number;
  validUntil: number;
  age: number;
  text: string;
};

const tail = '}}';
const maxAnswers = 125;
const maxLength = 64_000; // each is held twice, so the cache stays below 16 MB

/** Caches serialized answers. */
export class AnswerCache {
  readonly #answers = new RecentMap<CachedAnswer>(maxAnswers);

  find(key: string, now: number): CachedAnswer | undefined {
    const ready = this.#answers.get(key);
    return ready && now >= ready.writtenAt && now < ready.validUntil ? ready : undefined; // the clock may have been set back
  }

  keep(key: string, ready: CachedAnswer): void {
    if (ready.head.length <= maxLength) this.#answers.set(key, ready);
  }
}

/** Serializes an answer. Its ETag is weak and does not cover the age, because the prices are the same a second later. */
export function serializeAnswer(answer: ElectricityPrices, writtenAt: number, validUntil: number): CachedAnswer {
  const { age: _, ...metadata } = answer.metadata;
  const text = JSON.stringify({ ...answer, metadata });
  const head = `${text.slice(0, -tail.length)},"age":`;
  const etag = `W/"${hash('sha1', head, 'base64url')}"`;
  const headers = { 'content-type': 'application/json; charset=utf-8', etag };
  return { head, headers, updatedAt: Date.parse(metadata.last_updated), writtenAt, validUntil, age: -1, text: '' };
}

export function textWithAge(ready: CachedAnswer, now: number): string {
  const age = Math.max(0, Math.floor((now - ready.updatedAt) / 1000));
  if (age !== ready.age) {
    ready.age = age;
    ready.text = `${ready.head}${age}${tail}`;
  }
  return ready.text;
}
