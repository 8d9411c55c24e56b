import type { Part, TotalInterval } from '#contract/price/total.ts';
import { formatTime } from '#contract/time.ts';
import type { Charge } from './charges.ts';
import { fromMillionths, toMillionths } from './money.ts';
import type { Spot } from './spot.ts';
import type { Terms } from './terms.ts';

/** What a kilowatt-hour costs in an interval. All amounts are millionths, so that they add up to the total. */
export type PricedInterval = {
  start: number;
  end: number;
  source: string;
  spot: number;
  charges: readonly Charge[];
  /** what each of the charges comes to */
  charged: readonly number[];
  vat: number;
  total: number;
};

export function priceInterval(
  { perEuro, markup = 0, vat }: Terms,
  { start, end }: { start: number; end: number },
  { eur_per_mwh, source }: Spot,
  charges: readonly Charge[],
): PricedInterval {
  const spotPrice = (eur_per_mwh * perEuro) / 1000;
  const spot = toMillionths(spotPrice);
  const charged = charges.map(({ price, spotMultiplier }) =>
    spotMultiplier === 0 ? price : price + toMillionths(spotMultiplier * spotPrice),
  );
  let sum = spot + markup;
  for (const amount of charged) sum += amount;
  const tax = vat ? Math.round((sum * vat.percent) / 100) + 0 : 0;
  return { start, end, source, spot, charges, charged, vat: tax, total: sum + tax };
}

/** The interval in the words of the interface. */
export function showInterval({ markup, vat }: Terms, interval: PricedInterval): TotalInterval {
  const part = (kind: Part['kind'], amount: number, source: string, rule?: string): Part => ({
    kind,
    amount: fromMillionths(amount),
    source,
    ...(rule !== undefined && { rule }),
  });
  return {
    start: formatTime(interval.start),
    end: formatTime(interval.end),
    total: fromMillionths(interval.total),
    parts: [
      part('spot', interval.spot, interval.source),
      ...(markup === undefined ? [] : [part('markup', markup, 'your request')]),
      ...interval.charges.map(({ kind, source, rule }, n) => part(kind, interval.charged[n]!, source, rule)),
      ...(vat ? [part('vat', interval.vat, vat.source, `${vat.percent} %`)] : []),
    ],
  };
}
