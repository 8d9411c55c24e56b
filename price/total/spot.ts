import { setImmediate } from 'node:timers/promises';
import { Problem } from '#contract/problem.ts';
import type { Area } from '../electricity/areas.ts';
import { addDays, marketDateAt } from '../electricity/market-day.ts';
import type { PriceDay, PricePoint, Prices } from '../electricity/prices.ts';

export type SpotPoint = PricePoint & Pick<PriceDay, 'source' | 'isSimulated'>;

export type KnownSpot = {
  points: SpotPoint[];
  /** why there may be more than is known */
  failure: Problem | undefined;
};

const daysAtOnce = 8;
const maxDaysRead = 31; // between two turns of the event loop; a day may come from the disk

/** The prices of all market days of a range. When nobody can be asked, those that are known already. */
export async function knownSpot(prices: Prices, area: Area, from: number, to: number): Promise<KnownSpot> {
  const last = marketDateAt(area, to - 1);
  const dates: string[] = [];
  for (let date = marketDateAt(area, from); date <= last; date = addDays(date, 1)) dates.push(date);

  let failure: Problem | undefined;
  const unknown = dates.filter((date) => !prices.peek(area, date));
  for (let next = 0; next < unknown.length && !failure; next += daysAtOnce) {
    const asked = unknown.slice(next, next + daysAtOnce).map((date) => prices.day(area, date));
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

export type Spot = { eur_per_mwh: number; source: string; isSimulated: boolean };

/**
 * Tells the spot price of intervals, asked for in the order of time: the mean of what lies in them. Unknown when a part of
 * the interval has no price. A quarter of an hour that the market priced whole has the price of the hour.
 */
export function createSpot(points: readonly SpotPoint[]): (start: number, end: number) => Spot | undefined {
  let next = 0;
  return (start, end) => {
    while (next < points.length && points[next]!.end <= start) next += 1;
    const first = points[next];
    if (first && first.start <= start && end <= first.end) return first;
    let covered = start;
    let sum = 0;
    const sources = new Set<string>();
    let isSimulated = false;
    for (let i = next; i < points.length && covered < end; i++) {
      const point = points[i]!;
      if (point.start > covered) return undefined;
      const until = Math.min(point.end, end);
      sum += point.eur_per_mwh * (until - covered);
      covered = until;
      sources.add(point.source);
      isSimulated ||= point.isSimulated;
    }
    if (covered < end) return undefined;
    return { eur_per_mwh: sum / (end - start), source: [...sources].join(', '), isSimulated };
  };
}
