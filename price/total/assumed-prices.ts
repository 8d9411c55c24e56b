import { hourMs } from '#contract/time.ts';
import { wallAt } from '#contract/time-zone.ts';
import type { Area } from '../electricity/areas.ts';
import { rounded } from '../electricity/market-day.ts';
import type { TimeRange } from './charges.ts';
import type { SpotPoint, SpotPrices } from './spot.ts';

export const assumedSource = 'Assumed';

/** Days whose prices are the basis of assumed prices. */
export const assumedFromDays = 14;

const quarterMs = hourMs / 4;
const quartersPerDay = 96;

/**
 * Fills every quarter-hour of a range without a price with the mean of the same local quarter-hour of the last known
 * days. Without any known price nothing is filled.
 */
export function assumeUnknownPrices(
  { points, failure }: SpotPrices,
  area: Area,
  { start, end }: TimeRange,
): SpotPrices & {
  /** start of the first assumed price */
  assumedFrom: number | undefined;
} {
  const meanOf = createMeans(points, area);
  if (!meanOf) return { points, failure, assumedFrom: undefined };
  const filled: SpotPoint[] = [];
  let assumedFrom: number | undefined;
  let next = 0;
  for (let at = start; at < end; ) {
    for (let point = points[next]; point && point.end <= at; point = points[next]) {
      filled.push(point);
      next += 1;
    }
    const point = points[next];
    if (point && point.start <= at) {
      at = point.end;
      continue;
    }
    filled.push({ start: at, end: at + quarterMs, ...meanOf(at) });
    assumedFrom ??= at;
    at += quarterMs;
  }
  return { points: [...filled, ...points.slice(next)], failure, assumedFrom };
}

/** Returns the mean price by local quarter-hour of the last known days; undefined without any. */
function createMeans(points: readonly SpotPoint[], { timeZone }: Area) {
  const last = points.at(-1);
  if (!last) return undefined;
  const since = last.end - assumedFromDays * 24 * hourMs;
  const [sums, counts] = [new Float64Array(quartersPerDay), new Uint32Array(quartersPerDay)];
  const quarterOf = (at: number): number => Math.floor(wallAt(timeZone, at) / quarterMs) % quartersPerDay;
  let [sum, count, isSimulated] = [0, 0, false];
  for (let n = points.length - 1; n >= 0; n--) {
    const point = points[n];
    if (!point || point.start < since) break;
    for (let at = point.start; at < point.end; at += quarterMs) {
      const quarter = quarterOf(at);
      sums[quarter]! += point.eur_per_mwh;
      counts[quarter]! += 1;
      sum += point.eur_per_mwh;
      count += 1;
    }
    isSimulated ||= point.isSimulated;
  }
  return (at: number) => {
    const quarter = quarterOf(at);
    const known = counts[quarter] ?? 0;
    return {
      eur_per_mwh: rounded(known > 0 ? (sums[quarter] ?? 0) / known : sum / count),
      source: assumedSource,
      isSimulated,
    };
  };
}
