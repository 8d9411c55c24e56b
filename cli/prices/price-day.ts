import type { TotalPrice } from '#contract/price/total.ts';
import { dateAt } from '#contract/time-zone.ts';
import { findArea } from '#price/electricity/areas.ts';

/** For a kilowatt-hour. */
export type PricePoint = { start: number; end: number; price: number };

/** The spot price alone. */
const spotPoints = ({ intervals }: TotalPrice): PricePoint[] =>
  intervals.map(({ start, end, parts }) => ({
    start: Date.parse(start),
    end: Date.parse(end),
    price: parts.find(({ kind }) => kind === 'spot')!.amount,
  }));

export type PriceDay = { date: string; points: PricePoint[] };

/** The days of the market, which are not always those of the place. */
export function daysOf(answer: TotalPrice): PriceDay[] {
  const timeZone = marketZone(answer);
  const byDate = Map.groupBy(spotPoints(answer), ({ start }) => dateAt(timeZone, start));
  return [...byDate].map(([date, points]) => ({ date, points }));
}

/** Whose midnight the days of the market begin at. */
export const marketZone = ({ metadata }: TotalPrice): string => zoneOfArea(metadata.resolved_area);

/** That of most of Europe, where an area is not known or not named. */
export const zoneOfArea = (area = ''): string => findArea(area)?.timeZone ?? 'Europe/Brussels';

/** The price that is in force, with the day it belongs to. */
export function priceAt(days: readonly PriceDay[], at: number): { point: PricePoint; day: PriceDay } | undefined {
  for (const day of days) {
    const point = day.points.find(({ start, end }) => start <= at && at < end);
    if (point) return { point, day };
  }
  return undefined;
}

/** 1 for the cheapest. */
export const rankOf = ({ price }: PricePoint, { points }: PriceDay): number =>
  1 + points.filter((other) => other.price < price).length;

/** The cheapest of a day, as many as are asked for; of equal ones the earliest. */
export const cheapestOf = ({ points }: PriceDay, count: number): Set<PricePoint> =>
  new Set(points.toSorted((a, b) => a.price - b.price || a.start - b.start).slice(0, count));

export const meanOf = ({ points }: PriceDay): number =>
  points.reduce((sum, { price }) => sum + price, 0) / points.length;
