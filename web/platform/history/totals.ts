import type { PartKind, TotalPrice } from '#contract/price/total.ts';
import { hourMs } from '#contract/time.ts';
import type { Buckets } from './buckets.ts';
import { type Energies, energiesOf, hoursWithin, type Span, wattsOf } from './energy.ts';

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

export type Totals = Energies & {
  /** by the house and the car, Wh */
  used?: number;
  /** how much of what was used did not come from the grid */
  selfSufficiency?: number;
  /** how much of the time everything was measured */
  coverage: number;
};

/** The sums of a span that has passed. */
export function totalsOf(buckets: Buckets, span: Span): Totals {
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

/** Of the times in which the use is known: elsewhere import would have nothing beside it. */
function selfSufficiencyOf(buckets: Buckets, span: Span): number | undefined {
  let used = 0;
  let imported = 0;
  buckets.starts.forEach((_, bucket) => {
    const house = wattsOf(buckets, 'house', bucket);
    if (house === undefined) return;
    const car = (wattsOf(buckets, 'carTook', bucket) ?? 0) - (wattsOf(buckets, 'carGave', bucket) ?? 0);
    const hours = hoursWithin(buckets, bucket, span);
    used += (house + car) * hours;
    imported += wattsOf(buckets, 'imported', bucket)! * hours;
  });
  return used > 0 ? Math.min(1, Math.max(0, 1 - imported / used)) : undefined;
}

function coverageOf(buckets: Buckets, { from, to }: Span): number {
  const measured = Object.values(buckets.watts);
  let hours = 0;
  buckets.starts.forEach((_, bucket) => {
    if (measured.every((values) => values[bucket] !== undefined)) hours += hoursWithin(buckets, bucket, { from, to });
  });
  return to > from ? Math.min(1, hours / ((to - from) / hourMs)) : 0;
}
