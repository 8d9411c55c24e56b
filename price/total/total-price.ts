import { setImmediate } from 'node:timers/promises';
import type { getTotalPrice, Step, TotalPrice } from '#contract/price/total.ts';
import { fieldProblem } from '#contract/problem.ts';
import type { RequestOf } from '#contract/route.ts';
import { dayMs, formatTime, minuteMs } from '#contract/time.ts';
import { addDays, dateAt } from '#contract/time-zone.ts';
import type { Area } from '../electricity/areas.ts';
import { marketDateAt, marketDay } from '../electricity/market-day.ts';
import type { Interval } from '../tariffs/eltariff.ts';
import * as charges from './charges.ts';
import { assumedTariffs, uncoveredProblem } from './grid-tariff.ts';
import { levyNotes } from './levies.ts';
import { loadSpotPrices } from './spot.ts';
import { resolveInstant, resolveTerms, type Terms, type TotalDeps } from './terms.ts';

const maxRangeMs = 366 * dayMs;
const maxIntervalsAtOnce = 1000; // between two turns of the event loop

export const stepMsOf = (step: Step): number => (step === 'PT15M' ? 15 : 60) * minuteMs;

type PricedRange = charges.PriceSources & charges.TimeRange & { intervals: charges.PricedInterval[]; missing: number };

export type TotalPriceQuery = RequestOf<typeof getTotalPrice>['query'];

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
    batches.push(JSON.stringify(batch.map((interval) => charges.toWireInterval(terms, interval))).slice(1, -1));
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
  charges.checkStepLength(terms, stepMs);
  const firstStart = Math.ceil(from / stepMs) * stepMs;
  const pricer = charges.createPricer(terms, await loadSpotPrices(prices, terms.area, firstStart, to));
  const intervals: charges.PricedInterval[] = [];
  let count = 0;
  for (let start = firstStart; start < to; start += stepMs) {
    if (++count % maxIntervalsAtOnce === 0) await setImmediate(); // lets other requests run
    const interval = pricer.price({ start, end: start + stepMs });
    if (interval) intervals.push(interval);
  }
  const [first] = intervals;
  const last = intervals.at(-1);
  if (!first || !last) throw pricer.missing(`from ${formatTime(from)} to ${formatTime(to)}`);
  return { ...pricer.found, start: first.start, end: last.end, intervals, missing: count - intervals.length };
}

export const subjectOf = ({ asked, tariff, currency }: Terms) => ({
  area: asked,
  tariff_id: tariff?.given.id ?? null,
  currency,
});

export function metadataOf(terms: Terms, priced: PricedRange): TotalPrice['metadata'] {
  const uncoveredDates = [...priced.uncoveredDates];
  const isWhole = uncoveredDates.length === 0;
  const assumed = assumedTariffs(terms.tariff, daysBetween(terms, priced));
  const notes = [
    ...terms.notes,
    ...assumed.notes,
    ...levyNotes(terms.area, daysBetween(terms, priced)),
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

export const daysBetween = ({ timeZone }: Pick<Terms, 'timeZone'>, { start, end }: charges.TimeRange): Interval => ({
  fromIncluding: dateAt(timeZone, start),
  toExcluding: addDays(dateAt(timeZone, end - 1), 1),
});

export function termsMetadata({ area, vat, fx, notes }: Terms, { sources, isSimulated }: charges.PriceSources) {
  return {
    provider: [...sources].join(', '),
    is_simulated: isSimulated,
    resolved_area: area.code,
    vat_percent: vat?.percent ?? 0,
    fx: fx ? { currency: fx.currency, rate: fx.perEuro, date: fx.date, source: fx.source } : null,
    notes,
  };
}
