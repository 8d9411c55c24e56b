import type { PartKind, TotalPrice } from '#contract/price/total.ts';
import { hourMs } from '#contract/time.ts';
import type { Buckets, TimeRange } from './buckets.ts';
import { createOverlaps, type Energies, energiesOf } from './energy.ts';

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
    for (const { watts, hours } of overlapsOf({ from: Date.parse(start), to: Date.parse(end) })) {
      const wattHours = Math.max(0, watts.meter ?? 0) * hours;
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
  let [coveredHours, used, imported] = [0, 0, 0];
  for (const { watts, hours } of createOverlaps(buckets)(span)) {
    if (buckets.kinds.every((kind) => watts[kind] !== undefined)) coveredHours += hours;
    const { load, meter, charger = 0 } = watts;
    if (load === undefined || meter === undefined) continue; // without consumption, import has nothing to be compared with
    used += (load + charger) * hours;
    imported += Math.max(0, meter) * hours;
  }
  const spanHours = (span.to - span.from) / hourMs;
  return {
    ...energies,
    ...(house !== undefined && { used: house + carTook - carGave }),
    ...(used > 0 && { selfSufficiency: Math.min(1, Math.max(0, 1 - imported / used)) }),
    coverage: spanHours > 0 ? Math.min(1, coveredHours / spanHours) : 0,
  };
}
