import type { Resolution } from '#contract/price/electricity.ts';
import { dayMs, hourMs, parseTime } from '#contract/time.ts';
import { dateAt, startOfDate } from '#contract/time-zone.ts';
import type { Area } from './areas.ts';

/** The instants from the first of a market day to the first of the next: 23, 24 or 25 hours. */
export type MarketDaySpan = { start: number; end: number };

type Zone = Pick<Area, 'timeZone'>;

/** Since this day the market has quarter-hours. */
export const quartersFrom = '2025-10-01';
const maxCached = 5000;

const spans = new Map<string, MarketDaySpan>(); // finding them out again asks the calendar of the zone four times
const newest = new Map<string, MarketDaySpan & { date: string }>();

export function marketDay({ timeZone }: Zone, date: string): MarketDaySpan {
  const key = `${timeZone} ${date}`;
  let span = spans.get(key);
  if (!span) {
    span = { start: startOfDate(timeZone, date), end: startOfDate(timeZone, addDays(date, 1)) };
    if (spans.size === maxCached) spans.clear();
    spans.set(key, span);
  }
  return span;
}

/** The market day that an instant lies in. */
export function marketDateAt(area: Zone, at: number): string {
  const known = newest.get(area.timeZone);
  if (known && at >= known.start && at < known.end) return known.date;
  const date = dateAt(area.timeZone, at);
  newest.set(area.timeZone, { ...marketDay(area, date), date });
  return date;
}

export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);

export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const at = Date.parse(`${text}T00:00:00Z`);
  return isOfMarkets(at) && new Date(at).toISOString().startsWith(text); // 31 February would become 3 March
}

/** An instant of which there may be prices; undefined when it is none. */
export function readInstant(text: string): number | undefined {
  const at = parseTime(text);
  return at !== undefined && isOfMarkets(at) ? at : undefined;
}

// Around these, too, all dates have as many letters and are in order.
const isOfMarkets = (at: number): boolean => at >= Date.UTC(1900, 0) && at < Date.UTC(3000, 0);

/** From when on a market is asked for a day: the auction of the day before publishes about then, in winter an hour later. */
export const dueAt = (date: string): number => Date.parse(`${addDays(date, -1)}T11:00:00Z`);

/** One price of one interval, in euro for a megawatt-hour. */
export type PricePoint = { start: number; end: number; eur_per_mwh: number };

/** A market day of an area, taken whole from one source. */
export type PriceDay = {
  /** YYYY-MM-DD, the day of the market */
  date: string;
  points: readonly PricePoint[];
  /** who told, for example ENTSO-E */
  source: string;
  isSimulated: boolean;
  fetchedAt: number;
  /** when it is asked for again, since others may tell it finer; it is kept when this is left out */
  until?: number;
};

/** Euro in another currency, and who says so. */
export type Rate = { currency: string; perEuro: number; date: string; source: string };

export type Prices = {
  /** The day, from the store or from a source; undefined when nobody has it. */
  day(area: Area, date: string): Promise<PriceDay | undefined>;
  /** The day when it is known already. */
  peek(area: Area, date: string): PriceDay | undefined;
  rate(currency: string): Promise<Rate | undefined>;
};

/** The means of whole hours; an hour of which a part is not known is left out. */
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

const inQuarters = (points: readonly PricePoint[]): PricePoint[] =>
  points.filter(({ start, end }) => end - start === hourMs / 4);

/** What is known in this resolution: of a day of hours there are no quarters. */
export const atResolution = (points: readonly PricePoint[], resolution: Resolution): PricePoint[] =>
  resolution === 'PT15M' ? inQuarters(points) : hourlyMeans(points);

/** To a hundredth of a cent: the mean of four prices in cents is that fine. */
export const rounded = (price: number): number => Math.round(price * 1e4) / 1e4 + 0;
