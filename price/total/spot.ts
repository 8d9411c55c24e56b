import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '#contract/problem.ts';
import { hourMs } from '#contract/time.ts';
import { addDays } from '#contract/time-zone.ts';
import { type Area, findArea } from '../electricity/areas.ts';
import { marketDateAt, type PriceDay, type PricePoint, type Prices } from '../electricity/market-day.ts';
import type { Component } from '../tariffs/eltariff.ts';
import { fromMillionths, toMillionths } from './money.ts';
import { vatOf } from './taxes.ts';

export type SpotPoint = PricePoint & Pick<PriceDay, 'source' | 'isSimulated'>;

export type SpotPrices = {
  points: SpotPoint[];
  /** the source failure when days may be missing */
  failure: Problem | undefined;
};

const maxParallelDays = 8;
const maxDaysRead = 31; // between two turns of the event loop; a day may be read from disk

/** Loads the prices of all market days of a range; when the sources fail, returns the cached days. */
export async function loadSpotPrices(prices: Prices, area: Area, from: number, to: number): Promise<SpotPrices> {
  const last = marketDateAt(area, to - 1);
  const dates: string[] = [];
  for (let date = marketDateAt(area, from); date <= last; date = addDays(date, 1)) dates.push(date);

  let failure: Problem | undefined;
  await prices.load(area, dates).catch((error: unknown) => {
    if (!(error instanceof Problem)) throw error;
    failure = error;
  });
  const unknown = dates.filter((date) => !prices.peek(area, date));
  for (let next = 0; next < unknown.length && !failure; next += maxParallelDays) {
    const asked = unknown.slice(next, next + maxParallelDays).map((date) => prices.day(area, date));
    for (const outcome of await Promise.allSettled(asked)) {
      if (outcome.status === 'fulfilled') continue;
      if (!(outcome.reason instanceof Problem)) throw outcome.reason;
      failure = outcome.reason;
    }
  }

  const points: SpotPoint[] = [];
  for (const [n, date] of dates.entries()) {
    if (n % maxDaysRead === maxDaysRead - 1) await setImmediate();
    const day = prices.peek(area, date);
    if (!day) continue;
    const { source, isSimulated } = day;
    for (const { start, end, eur_per_mwh } of day.points) points.push({ start, end, eur_per_mwh, source, isSimulated });
  }
  return { points, failure };
}

export type SpotPrice = { eur_per_mwh: number; source: string; isSimulated: boolean };

/**
 * Returns a lookup of the mean spot price of intervals, which must be asked for in order of time. Undefined when a part of
 * the interval has no price. A quarter-hour of an hourly price has the price of the hour.
 */
export function createSpotLookup(points: readonly SpotPoint[]): (start: number, end: number) => SpotPrice | undefined {
  let next = 0;
  return (start, end) => {
    while ((points[next]?.end ?? Number.POSITIVE_INFINITY) <= start) next += 1;
    const first = points[next];
    if (first && first.start <= start && end <= first.end) return first;
    let covered = start;
    let sum = 0;
    const sources = new Set<string>();
    let isSimulated = false;
    for (let i = next; covered < end; i++) {
      const point = points[i];
      if (!point || point.start > covered) return undefined;
      const until = Math.min(point.end, end);
      sum += point.eur_per_mwh * (until - covered);
      covered = until;
      sources.add(point.source);
      isSimulated ||= point.isSimulated;
    }
    return { eur_per_mwh: sum / (end - start), source: [...sources].join(', '), isSimulated };
  };
}

const maxWaitMs = 5000; // a tariff is useful without the spot price

/** Returns the price of a component at an instant, with its share of the spot price; undefined when that is not known. */
export const createPriceOf =
  (prices: Prices) =>
  async (
    { price, spotPriceSettings }: Component,
    zone: string | undefined,
    at: number,
  ): Promise<Component['price']> => {
    if (!spotPriceSettings) return price;
    const { multiplier, currency } = spotPriceSettings;
    const spot = zone === undefined ? undefined : await spotPrice(prices, zone, currency, at);
    if (spot === undefined) return undefined;
    const share = toMillionths(multiplier * spot);
    const vat = 1 + (vatOf({ code: zone ?? '', countryCode: (zone ?? 'SE').slice(0, 2) })?.percent ?? 0) / 100;
    return {
      priceExVat: fromMillionths(toMillionths(price?.priceExVat ?? 0) + share),
      priceIncVat: fromMillionths(toMillionths(price?.priceIncVat ?? 0) + Math.round(share * vat) + 0),
      currency,
    };
  };

async function spotPrice(prices: Prices, zone: string, currency: string, at: number): Promise<number | undefined> {
  const area = findArea(zone);
  if (!area) return undefined;
  try {
    const date = marketDateAt(area, at);
    const day =
      prices.peek(area, date) ??
      (await Promise.race([prices.day(area, date), sleep(maxWaitMs, undefined, { ref: false })]));
    const perEuro = currency === 'EUR' ? 1 : (await prices.rate(currency))?.perEuro;
    if (!day || perEuro === undefined) return undefined;
    const { source, isSimulated } = day;
    const hour = Math.floor(at / hourMs) * hourMs;
    const spot = createSpotLookup(day.points.map((point) => ({ ...point, source, isSimulated })))(hour, hour + hourMs);
    return spot && (spot.eur_per_mwh * perEuro) / 1000;
  } catch (error) {
    if (error instanceof Problem) return undefined; // no source is reachable
    throw error;
  }
}
