import { hourMs } from '#contract/time.ts';
import { addDays } from '#contract/time-zone.ts';
import type { Area } from './areas.ts';
import { type MarketDaySpan, marketDay, type PricePoint, quartersFrom, rounded } from './market-day.ts';

/** A whole market day, with the raw response where it is a market document. */
export type FetchedDay = { points: readonly PricePoint[]; isSimulated: boolean; raw?: string };

export type Source = {
  id: string;
  name: string;
  description: string;
  /** whether it publishes hours where the market has quarter-hours */
  isHourly?: boolean;
  covers(area: Area): boolean;
  /** Fetches a whole day; undefined when the source does not have it or has only a part. */
  fetchDay(area: Area, date: string, signal: AbortSignal): Promise<FetchedDay | undefined>;
  /** Fetches the days of a range with one request; days that the source does not have are left out. */
  fetchRange?(area: Area, range: DateRange, signal: AbortSignal): Promise<ReadonlyMap<string, FetchedDay>>;
};

/** The first and the last day of a range. */
export type DateRange = { first: string; last: string };

/** Picks the whole days of a range from the answer to one request. */
export function daysOfRange(
  area: Area,
  { first, last }: DateRange,
  pointsOf: (span: MarketDaySpan) => PricePoint[] | undefined,
  isSimulated: boolean,
): Map<string, FetchedDay> {
  const days = new Map<string, FetchedDay>();
  for (let date = first; date <= last; date = addDays(date, 1)) {
    const points = pointsOf(marketDay(area, date));
    if (points) days.set(date, { points, isSimulated });
  }
  return days;
}

/** Tells whether other sources may have a day in a finer resolution. */
export const isCoarse = ({ isHourly = false }: Source, date: string): boolean => isHourly && date >= quartersFrom;

export const simulatedMarket = 'Simulated market';

/**
 * unreachable: no response, or a temporary failure; silent: timeout; limited: rate limit exceeded;
 * refused: the token was rejected; malformed: the response cannot be read.
 */
type Failure = 'unreachable' | 'silent' | 'limited' | 'refused' | 'malformed';

/** A failed request to a source. The message never contains the address, which may contain a token. */
export class SourceError extends Error {
  override name = 'SourceError';
  readonly kind: Failure;
  readonly retryAfterMs: number | undefined;

  constructor(kind: Failure, message: string, retryAfterMs?: number) {
    super(message);
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Throws for a response that is not an answer of the source. */
export function checkStatus(status: number, ...accepted: readonly number[]): void {
  if (status !== 200 && !accepted.includes(status))
    throw new SourceError('malformed', `The response status was ${status}.`);
}

// price limits of the market
const lowest = -500;
const highest = 5000;
const steps = new Set([hourMs / 4, hourMs / 2, hourMs]);

/** Returns the points within a span if they cover it without gaps in equal steps. */
export function wholeDay({ start, end }: MarketDaySpan, points: readonly PricePoint[]): PricePoint[] | undefined {
  const day = points.filter((point) => point.end > start && point.start < end).sort((a, b) => a.start - b.start);
  const step = day[0] ? day[0].end - day[0].start : 0;
  if (!steps.has(step) || day.length !== (end - start) / step) return undefined;
  if (day.some((point, n) => point.start !== start + n * step || point.end !== point.start + step)) return undefined;
  if (!day.every(({ eur_per_mwh }) => eur_per_mwh >= lowest && eur_per_mwh <= highest))
    throw new SourceError('malformed', 'A price is outside the limits of the market.');
  return day.map((point) => ({ ...point, eur_per_mwh: rounded(point.eur_per_mwh) }));
}
