import type { PartKind, TotalPrice } from '#contract/price/total.ts';
import { hourMs } from '#contract/time.ts';
import type { Buckets, TimeRange } from './buckets.ts';
import { commonHours, createOverlaps, type Energies, energiesOf } from './energy.ts';

export type Cost = {
  amount: number;
  /** Wh with a known price */
  priced: number;
  /** price components that are included */
  parts: PartKind[];
};

/** Returns false if there was import but none of it has a known price. */
export const hasKnownCost = ({ priced }: Cost, imported = 0): boolean => priced > 0 || imported === 0;

/** Sums imported energy times the price of its interval. */
export function costOf(buckets: Buckets, { intervals }: Pick<TotalPrice, 'intervals'>): Cost {
  let amount = 0;
  let priced = 0;
  const overlapsOf = createOverlaps(buckets);
  for (const { start, end, total } of intervals) {
    for (const { bucket, hours } of overlapsOf({ from: Date.parse(start), to: Date.parse(end) })) {
      const wattHours = Math.max(0, buckets.watts.meter?.[bucket] ?? 0) * hours;
      amount += (wattHours / 1000) * total;
      priced += wattHours;
    }
  }
  const kinds = new Set(intervals.flatMap(({ parts }) => parts.map(({ kind }) => kind)));
  return { amount, priced, parts: [...kinds] };
}

export type Totals = Energies & {
  /** consumption of house and car, Wh */
  used?: number;
  /** share of consumption that was not imported */
  selfSufficiency?: number;
  /** share of the range in which all kinds were measured */
  coverage: number;
};

/** Returns the totals of a range that has ended. */
export function totalsOf(buckets: Buckets, span: TimeRange): Totals {
  const [energies = {}] = energiesOf(buckets, [span]);
  const { house, carTook = 0, carGave = 0 } = energies;
  const selfSufficiency = selfSufficiencyOf(buckets, span);
  return {
    ...energies,
    ...(house !== undefined && { used: house + carTook - carGave }),
    ...(selfSufficiency !== undefined && { selfSufficiency }),
    coverage: coverageOf(buckets, span),
  };
}

/** Uses only the buckets with known consumption; elsewhere import has nothing to be compared with. */
function selfSufficiencyOf({ ranges, watts: { load, meter, charger } }: Buckets, span: TimeRange): number | undefined {
  let used = 0;
  let imported = 0;
  for (const [bucket, times] of ranges.entries()) {
    const [house, grid] = [load?.[bucket], meter?.[bucket]];
    if (house === undefined || grid === undefined) continue;
    const hours = commonHours(times, span);
    used += (house + (charger?.[bucket] ?? 0)) * hours;
    imported += Math.max(0, grid) * hours;
  }
  return used > 0 ? Math.min(1, Math.max(0, 1 - imported / used)) : undefined;
}

function coverageOf(buckets: Buckets, { from, to }: TimeRange): number {
  const measured = Object.values(buckets.watts);
  let hours = 0;
  buckets.ranges.forEach((times, bucket) => {
    if (measured.every((values) => values[bucket] !== undefined)) hours += commonHours(times, { from, to });
  });
  return to > from ? Math.min(1, hours / ((to - from) / hourMs)) : 0;
}
