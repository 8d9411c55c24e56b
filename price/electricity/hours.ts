import type { Resolution } from '#contract/price/electricity.ts';
import { hourMs } from '#contract/time.ts';
import type { PricePoint } from './prices.ts';

/** The means of whole hours; an hour of which a part is not known is left out. */
export function inHours(points: readonly PricePoint[]): PricePoint[] {
  const hours = new Map<number, { knownMs: number; weighed: number }>();
  for (const { start, end, eur_per_mwh } of points) {
    const hour = Math.floor(start / hourMs) * hourMs;
    const sum = hours.get(hour) ?? { knownMs: 0, weighed: 0 };
    hours.set(hour, { knownMs: sum.knownMs + end - start, weighed: sum.weighed + eur_per_mwh * (end - start) });
  }
  return [...hours]
    .filter(([, { knownMs }]) => knownMs === hourMs)
    .map(([start, { weighed }]) => ({ start, end: start + hourMs, eur_per_mwh: rounded(weighed / hourMs) }));
}

const inQuarters = (points: readonly PricePoint[]): PricePoint[] =>
  points.filter(({ start, end }) => end - start === hourMs / 4);

/** What is known in this resolution: of a day of hours there are no quarters. */
export const inSteps = (points: readonly PricePoint[], resolution: Resolution): PricePoint[] =>
  resolution === 'PT15M' ? inQuarters(points) : inHours(points);

/** To a hundredth of a cent: the mean of four prices in cents is that fine. */
export const rounded = (price: number): number => Math.round(price * 1e4) / 1e4 + 0;
