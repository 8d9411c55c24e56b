import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '#contract/problem.ts';
import { hourMs } from '#contract/time.ts';
import { findArea } from '../electricity/areas.ts';
import { marketDateAt } from '../electricity/market-day.ts';
import type { Prices } from '../electricity/prices.ts';
import type { Component } from '../tariffs/eltariff.ts';
import { vatOf } from './countries.ts';
import { fromMillionths, toMillionths } from './money.ts';
import { createSpot } from './spot.ts';

const maxWaitMs = 5000; // a tariff is worth showing without the spot price

type Price = NonNullable<Component['price']>;

/** Returns the price of a component in a bidding zone at an instant; undefined when the spot price it follows is not known. */
export type PriceOf = (component: Component, zone: string | undefined, at: number) => Promise<Price | undefined>;

/** A spot-linked component costs its share of the hour's spot price, as the total price has it, on top of its own price. */
export const createPriceOf =
  (prices: Prices): PriceOf =>
  async ({ price, spotPriceSettings }, zone, at) => {
    if (!spotPriceSettings) return price;
    const { multiplier, currency } = spotPriceSettings;
    const spot = zone === undefined ? undefined : await spotPrice(prices, zone, currency, at);
    if (spot === undefined) return undefined;
    const share = toMillionths(multiplier * spot);
    const vat = 1 + (vatOf('SE')?.percent ?? 0) / 100; // price lists are those of Swedish grids
    return {
      priceExVat: fromMillionths(toMillionths(price?.priceExVat ?? 0) + share),
      priceIncVat: fromMillionths(toMillionths(price?.priceIncVat ?? 0) + Math.round(share * vat) + 0),
      currency,
    };
  };

/** For a kilowatt-hour. */
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
    const spot = createSpot(day.points.map((point) => ({ ...point, source, isSimulated })))(hour, hour + hourMs);
    return spot && (spot.eur_per_mwh * perEuro) / 1000;
  } catch (error) {
    if (error instanceof Problem) return undefined; // no source answers now
    throw error;
  }
}
