import { getTotalPrice, type TotalPrice } from '#contract/price/total.ts';
import { dateAt } from '#contract/time-zone.ts';
import { findArea } from '#price/electricity/areas.ts';
import type { Shell } from '../line/command.ts';
import { findLocation, openPriceClient } from './price-options.ts';

export type PricePoint = { start: number; end: number; price: number };

const spotPoints = ({ intervals }: TotalPrice): PricePoint[] =>
  intervals.map(({ start, end, parts }) => ({
    start: Date.parse(start),
    end: Date.parse(end),
    price: parts.find(({ kind }) => kind === 'spot')!.amount,
  }));

export type PriceDay = { date: string; points: PricePoint[] };

/** Groups the prices by market day, which can differ from the local day. */
export function daysOf(answer: TotalPrice): PriceDay[] {
  const timeZone = marketZone(answer);
  const byDate = Map.groupBy(spotPoints(answer), ({ start }) => dateAt(timeZone, start));
  return [...byDate].map(([date, points]) => ({ date, points }));
}

export const marketZone = ({ metadata }: TotalPrice): string => zoneOfArea(metadata.resolved_area);

/** Returns the time zone of a price area; for an unknown area that of Brussels. */
export const zoneOfArea = (area = ''): string => findArea(area)?.timeZone ?? 'Europe/Brussels';

export function priceAt(days: readonly PriceDay[], at: number): { point: PricePoint; day: PriceDay } | undefined {
  for (const day of days) {
    const point = day.points.find(({ start, end }) => start <= at && at < end);
    if (point) return { point, day };
  }
  return undefined;
}

/** Returns the rank of a price in its day; 1 is the cheapest. */
export const rankOf = ({ price }: PricePoint, { points }: PriceDay): number =>
  1 + points.filter((other) => other.price < price).length;

/** Returns the cheapest prices of a day; among equal prices the earliest. */
export const cheapestOf = ({ points }: PriceDay, count: number): Set<PricePoint> =>
  new Set(points.toSorted((a, b) => a.price - b.price || a.start - b.start).slice(0, count));

export const meanOf = ({ points }: PriceDay): number =>
  points.reduce((sum, { price }) => sum + price, 0) / points.length;

type SpotPrices = { answer: TotalPrice; days: PriceDay[]; timeZone: string };

/** Fetches the spot prices of today, and of tomorrow once published, for the location in the options. */
export async function fetchSpotPrices(typed: Parameters<typeof findLocation>[0], shell: Shell): Promise<SpotPrices> {
  const { query, timeZone } = await findLocation(typed, shell);
  const client = await openPriceClient(typed.options, shell);
  const answer = await client.call(getTotalPrice, { query });
  return { answer, days: daysOf(answer), timeZone };
}

export const spotMetadata = ({ currency, metadata }: TotalPrice) => ({
  area: metadata.resolved_area,
  currency,
  unit: 'kWh',
  vat_included: false,
  provider: metadata.provider,
  is_simulated: metadata.is_simulated,
});
