import { cheapestWindow } from '#contract/price/cheapest-window.ts';
import type { Cheapest, getCheapest } from '#contract/price/total.ts';
import { fieldProblem, Problem } from '#contract/problem.ts';
import type { RequestOf } from '#contract/route.ts';
import { formatTime, hourMs } from '#contract/time.ts';
import { type PricedInterval, toWireInterval } from './charges.ts';
import { fromMillionths } from './money.ts';
import { resolveInstant, resolveTerms, type TotalDeps } from './terms.ts';
import { endOfKnown, metadataOf, priceRange, stepMsOf, subjectOf } from './total-price.ts';

export async function cheapest(asked: RequestOf<typeof getCheapest>['query'], deps: TotalDeps): Promise<Cheapest> {
  const terms = await resolveTerms(asked, deps);
  const stepMs = stepMsOf(asked.resolution ?? 'PT15M');
  const length = (asked.hours * hourMs) / stepMs;
  if (!Number.isInteger(length)) {
    throw fieldProblem('unprocessable', 'query.hours', `must be a multiple of ${stepMs / hourMs}`);
  }
  const { area } = terms;
  const now = deps.clock.now();
  const after = asked.after === undefined ? now : resolveInstant(asked.after, 'query.after', area);
  const first = Math.ceil(after / stepMs) * stepMs;
  const before =
    asked.before === undefined
      ? Math.max(endOfKnown(area, first, now), first + length * stepMs)
      : resolveInstant(asked.before, 'query.before', area);
  const to = Math.floor(before / stepMs) * stepMs; // the last interval must end by then
  if (to - first < length * stepMs) {
    throw fieldProblem('unprocessable', 'query.hours', 'do not fit between after and before');
  }

  const priced = await priceRange(terms, { from: first, to, stepMs }, deps);
  const window = cheapestWindow(priced.intervals, length) ?? [];
  const [firstInterval] = window;
  const lastInterval = window.at(-1);
  if (!firstInterval || !lastInterval) {
    throw new Problem('not_found', `Prices are not known for ${asked.hours} hours in a row in this range.`);
  }
  return {
    ...subjectOf(terms),
    unit: 'kWh',
    start: formatTime(firstInterval.start),
    end: formatTime(lastInterval.end),
    average: fromMillionths(Math.round(sumOf(window) / length)),
    intervals: window.map((interval) => toWireInterval(terms, interval)),
    metadata: metadataOf(terms, priced),
  };
}

const sumOf = (intervals: readonly PricedInterval[]): number => intervals.reduce((sum, { total }) => sum + total, 0);
