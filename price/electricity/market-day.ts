import type { Resolution } from '#contract/price/electricity.ts';
import { hourMs, parseTime } from '#contract/time.ts';
import { addDays, dateAt, startOfDate } from '#contract/time-zone.ts';
import type { PriceDay, PricePoint, Rate } from '../store/price-store.ts';
import type { Area } from './areas.ts';

export type { PriceDay, PricePoint, Rate } from '../store/price-store.ts';

/** Start and end of a market day, which has 23, 24 or 25 hours. */
export type MarketDaySpan = { start: number; end: number };

type Zone = Pick<Area, 'timeZone'>;

/** The first market day with quarter-hours. */
export const quartersFrom = '2025-10-01';

export const marketDay = ({ timeZone }: Zone, date: string): MarketDaySpan => ({
  start: startOfDate(timeZone, date),
  end: startOfDate(timeZone, addDays(date, 1)),
});

export const marketDateAt = ({ timeZone }: Zone, at: number): string => dateAt(timeZone, at);

export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const at = Date.parse(`${text}T00:00:00Z`);
  return isOfMarkets(at) && new Date(at).toISOString().startsWith(text); // 31 February would become 3 March
}

const smallestMs = 1e11; // smaller numbers are seconds

/** Parses an instant for which prices may exist; undefined when invalid. */
export function readInstant(given: string | number): number | undefined {
  const isMs = typeof given === 'number' && Number.isInteger(given) && given >= smallestMs;
  const at = isMs ? given : parseTime(String(given));
  return at !== undefined && isOfMarkets(at) ? at : undefined;
}

// In this range dates have ten characters and sort as text.
const [earliest, latest] = [Date.UTC(1900, 0), Date.UTC(3000, 0)];
const isOfMarkets = (at: number): boolean => at >= earliest && at < latest;

/** Returns the earliest time at which a day may be published: about when the auction of the day before ends in summer. */
export const dueAt = (date: string): number => Date.parse(`${addDays(date, -1)}T11:00:00Z`);

export type Prices = {
  /** Returns a day from the cache or from a source; undefined when no source has it. */
  day(area: Area, date: string): Promise<PriceDay | undefined>;
  peek(area: Area, date: string): PriceDay | undefined;
  /** Fetches the past ones of these days with few requests, as far as the sources allow it. */
  load(area: Area, dates: readonly string[]): Promise<void>;
  rate(currency: string): Promise<Rate | undefined>;
};

export const providersOf = (days: readonly PriceDay[]): string[] => [...new Set(days.map(({ source }) => source))];

export const lastFetchedAt = (days: readonly PriceDay[]): number => Math.max(...days.map(({ fetchedAt }) => fetchedAt));

/** Returns hourly means; leaves out hours that are not fully covered. */
export function hourlyMeans(points: readonly PricePoint[]): PricePoint[] {
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

/** Returns the days that have points at a resolution, with those; an hourly day has no quarter-hours. */
export const daysAt = (days: readonly PriceDay[], resolution: Resolution): PriceDay[] =>
  days
    .map((day) => ({ ...day, points: atResolution(day.points, resolution) }))
    .filter(({ points }) => points.length > 0);

export const atResolution = (points: readonly PricePoint[], resolution: Resolution): PricePoint[] =>
  resolution === 'PT15M' ? points.filter(({ start, end }) => end - start === hourMs / 4) : hourlyMeans(points);

/** Rounds to a hundredth of a cent, the precision of a mean of four prices in cents. */
export const rounded = (price: number): number => Math.round(price * 1e4) / 1e4 + 0;
