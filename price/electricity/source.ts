import { hourMs } from '#contract/time.ts';
import type { Area } from './areas.ts';
import type { PricePoint } from './market-day.ts';
import { type MarketDaySpan, quartersFrom } from './market-day.ts';

/** A whole market day. The raw answer is kept where it is a document of the market. */
export type FetchedDay = { points: readonly PricePoint[]; isSimulated: boolean; raw?: string };

/** Somebody who publishes prices. */
export type Source = {
  /** entsoe */
  id: string;
  /** ENTSO-E */
  name: string;
  description: string;
  /** whether it tells hours where the market has quarters */
  isHourly?: boolean;
  covers(area: Area): boolean;
  /** The day, whole; undefined when the source answers that it does not have it, or has a part only. */
  fetchDay(area: Area, date: string, signal: AbortSignal): Promise<FetchedDay | undefined>;
};

/** Whether what it has of a day is coarser than what others may have. */
export const isCoarse = ({ isHourly = false }: Source, date: string): boolean => isHourly && date >= quartersFrom;

export const simulatedMarket = 'Simulated market';

/**
 * unreachable: no answer, or one that says to come again; silent: no answer in time; limited: asked too often;
 * refused: the token is not accepted; malformed: an answer that is none.
 */
type Failure = 'unreachable' | 'silent' | 'limited' | 'refused' | 'malformed';

/** Why a source gave nothing. Its message holds no address, since that may hold a token. */
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

// The market itself lets no bid below and none above.
const lowest = -500;
const highest = 5000;
const steps = new Set([hourMs / 4, hourMs / 2, hourMs]);

/** The points of a span when they fill it without a gap, in equal steps; what lies outside is left out. */
export function wholeDay({ start, end }: MarketDaySpan, points: readonly PricePoint[]): PricePoint[] | undefined {
  const day = points.filter((point) => point.end > start && point.start < end).sort((a, b) => a.start - b.start);
  const step = day[0] ? day[0].end - day[0].start : 0;
  if (!steps.has(step) || day.length !== (end - start) / step) return undefined;
  if (day.some((point, n) => point.start !== start + n * step || point.end !== point.start + step)) return undefined;
  return day.map((point) => ({ ...point, eur_per_mwh: checkedPrice(point.eur_per_mwh) }));
}

/** To a hundredth of a cent, as it is stored. */
function checkedPrice(price: number): number {
  if (!(price >= lowest && price <= highest)) throw new SourceError('malformed', 'A price is beyond what is possible.');
  return Math.round(price * 1e4) / 1e4 + 0; // adding 0 makes -0 an ordinary one
}
