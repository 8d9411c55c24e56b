import type { PartKind, TotalPrice } from '#contract/price/total.ts';
import type { Buckets } from './buckets.ts';
import { hoursWithin, wattsOf } from './energy.ts';

export type Cost = {
  amount: number;
  /** Wh whose price is known */
  priced: number;
  /** what is in the price */
  parts: PartKind[];
};

/** Of an import without any price the cost is not nothing, but not known. */
export const isKnown = ({ priced }: Cost, imported = 0): boolean => priced > 0 || imported === 0;

type Price = Pick<TotalPrice, 'intervals'>;

/** What was imported, each part of it at the price of its time. */
export function costOf(buckets: Buckets, { intervals }: Price): Cost {
  let amount = 0;
  let priced = 0;
  let bucket = 0;
  for (const { start, end, total } of intervals) {
    const span = { from: Date.parse(start), to: Date.parse(end) };
    while (bucket < buckets.starts.length && buckets.ends[bucket]! <= span.from) bucket++;
    for (let i = bucket; i < buckets.starts.length && buckets.starts[i]! < span.to; i++) {
      const wattHours = (wattsOf(buckets, 'imported', i) ?? 0) * hoursWithin(buckets, i, span);
      amount += (wattHours / 1000) * total;
      priced += wattHours;
    }
  }
  const kinds = new Set(intervals.flatMap(({ parts }) => parts.map(({ kind }) => kind)));
  return { amount, priced, parts: [...kinds] };
}
