import { setImmediate } from 'node:timers/promises';
import type { Step, TotalPrice } from '#contract/price/total.ts';
import { fieldProblem, Problem } from '#contract/problem.ts';
import { dayMs, formatTime, minuteMs } from '#contract/time.ts';
import { dateAt } from '#contract/time-zone.ts';
import type { Area } from '../electricity/areas.ts';
import { addDays, marketDateAt, marketDay } from '../electricity/market-day.ts';
import type { Interval } from '../tariffs/eltariff.ts';
import { checkStepLength, createChargeLookup, type PricedInterval, priceInterval, toWireInterval } from './charges.ts';
import { assumedTariffs, uncoveredProblem } from './grid-tariff.ts';
import { createSpotLookup, loadSpotPrices } from './spot.ts';
import { resolveInstant, resolveTerms, type Terms, type TermsQuery, type TotalDeps } from './terms.ts';

const maxRangeMs = 366 * dayMs;
const maxIntervalsAtOnce = 1000; // between two turns of the event loop

export const stepMsOf = (step: Step): number => (step === 'PT15M' ? 15 : 60) * minuteMs;

export type PricedRange = {
  intervals: PricedInterval[];
  missing: number;
  /** days that no price list of the tariff covers */
  uncoveredDates: Set<string>;
  sources: Set<string>;
  isSimulated: boolean;
};

export type TotalPriceQuery = TermsQuery & { from?: string; to?: string; resolution?: Step };

/** Returns the total price as JSON text: a year of quarter-hours has 35 000 intervals, so they are serialized in batches. */
export async function totalPrice(asked: TotalPriceQuery, deps: TotalDeps): Promise<string> {
  const terms = await resolveTerms(asked, deps);
  const { area } = terms;
  const now = deps.clock.now();
  const from = asked.from === undefined ? today(area, now) : resolveInstant(asked.from, 'query.from', area);
  const to = asked.to === undefined ? endOfKnown(area, from, now) : resolveInstant(asked.to, 'query.to', area);
  const resolution = asked.resolution ?? 'PT60M';
  const priced = await priceRange(terms, { from, to, stepMs: stepMsOf(resolution) }, deps);
  const { intervals, ...rest }: TotalPrice = {
    ...subjectOf(terms),
    unit: 'kWh',
    resolution,
    intervals: [],
    metadata: metadataOf(terms, priced),
  };
  const batches: string[] = [];
  for (let n = 0; n < priced.intervals.length; n += maxIntervalsAtOnce) {
    if (n > 0) await setImmediate();
    const batch = priced.intervals.slice(n, n + maxIntervalsAtOnce);
    batches.push(JSON.stringify(batch.map((interval) => toWireInterval(terms, interval))).slice(1, -1));
  }
  return `${JSON.stringify({ ...rest, intervals }).slice(0, -2)}${batches.join(',')}]}`;
}

const today = (area: Area, now: number): number => marketDay(area, marketDateAt(area, now)).start;

const endOfNextDay = (area: Area, at: number): number => marketDay(area, addDays(marketDateAt(area, at), 1)).end;

/** Returns the end of the range that can be known: markets publish up to tomorrow, and an answer spans at most a year. */
export const endOfKnown = (area: Area, from: number, now: number): number =>
  Math.min(endOfNextDay(area, Math.max(from, now)), from + maxRangeMs);

/** Prices every interval whose spot price and grid fee are known; throws a Problem if no interval can be priced. */
export async function priceRange(
  terms: Terms,
  { from, to, stepMs }: { from: number; to: number; stepMs: number },
  { prices }: TotalDeps,
): Promise<PricedRange> {
  if (to <= from) throw fieldProblem('unprocessable', 'query.to', 'must be later than the start');
  if (to - from > maxRangeMs) throw fieldProblem('unprocessable', 'query.to', 'must be at most 366 days later');
  checkStepLength(terms, stepMs);
  const first = Math.ceil(from / stepMs) * stepMs;
  const { points, failure } = await loadSpotPrices(prices, terms.area, first, to);
  const priced: PricedRange = {
    intervals: [],
    missing: 0,
    uncoveredDates: new Set(),
    sources: new Set(),
    isSimulated: false,
  };
  const spotOf = createSpotLookup(points);
  const chargesOf = createChargeLookup(terms);
  let count = 0;
  for (let start = first; start < to; start += stepMs) {
    if (++count % maxIntervalsAtOnce === 0) await setImmediate(); // lets other requests run
    const end = start + stepMs;
    const spot = spotOf(start, end);
    const charges = spot && chargesOf(start);
    if (spot && !charges) priced.uncoveredDates.add(dateAt(timeZoneOf(terms), start));
    if (!spot || !charges) {
      priced.missing += 1;
      continue;
    }
    priced.intervals.push(priceInterval(terms, { start, end }, spot, charges));
    priced.sources.add(spot.source);
    priced.isSimulated ||= spot.isSimulated;
  }
  if (priced.intervals.length > 0) return priced;
  if (terms.tariff && priced.uncoveredDates.size > 0) throw uncoveredProblem(terms.tariff, [...priced.uncoveredDates]);
  if (failure) throw failure;
  const range = `from ${formatTime(from)} to ${formatTime(to)}`;
  throw new Problem('not_found', `No price of ${terms.area.code} is known ${range}.`);
}

export const subjectOf = ({ asked, tariff, currency }: Terms) => ({
  area: asked,
  tariff_id: tariff?.given.id ?? null,
  currency,
});

export function metadataOf(terms: Terms, priced: PricedRange): TotalPrice['metadata'] {
  const uncoveredDates = [...priced.uncoveredDates];
  const isWhole = uncoveredDates.length === 0;
  const assumed = assumedTariffs(
    terms.tariff,
    daysBetween(terms, priced.intervals[0]!.start, priced.intervals.at(-1)!.end),
  );
  const notes = [
    ...terms.notes,
    ...assumed.notes,
    ...(terms.tariff && !isWhole ? [uncoveredProblem(terms.tariff, uncoveredDates).message] : []),
  ];
  return {
    ...termsMetadata({ ...terms, notes }, priced),
    ...assumed.metadata,
    total_points: priced.intervals.length,
    missing_points: priced.missing,
    ...(!isWhole && { uncovered_dates: uncoveredDates }),
  };
}

const timeZoneOf = ({ tariff, area }: Terms): string => tariff?.given.timeZone ?? area.timeZone;

/** Returns the local days that a range touches. */
export const daysBetween = (terms: Terms, from: number, to: number): Interval => {
  const timeZone = timeZoneOf(terms);
  return { fromIncluding: dateAt(timeZone, from), toExcluding: addDays(dateAt(timeZone, to - 1), 1) };
};

export function termsMetadata(
  { area, vat, fx, notes }: Terms,
  { sources, isSimulated }: Pick<PricedRange, 'sources' | 'isSimulated'>,
) {
  return {
    provider: [...sources].join(', '),
    is_simulated: isSimulated,
    resolved_area: area.code,
    vat_percent: vat?.percent ?? 0,
    fx: fx ? { currency: fx.currency, rate: fx.perEuro, date: fx.date, source: fx.source } : null,
    notes,
  };
}
