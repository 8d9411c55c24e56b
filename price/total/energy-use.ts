import { setImmediate } from 'node:timers/promises';
import { Problem } from '#contract/problem.ts';
import { formatTime } from '#contract/time.ts';
import { dateAt } from '#contract/time-zone.ts';
import { type Charge, createCharges } from './charges.ts';
import { uncovered } from './grid-tariff.ts';
import type { Load } from './load-curve.ts';
import { fromMillionths, toMillionths } from './money.ts';
import { createSpot, type KnownSpot } from './spot.ts';
import type { Terms } from './terms.ts';

/** What was used and sold, and what it cost before VAT. */
export type EnergyUse = {
  imported: number;
  exported: number;
  spotCost: number;
  spotIncome: number;
  /** the energy that each charge applies to, and what its share of the spot price comes to */
  charges: Map<Charge, { kwh: number; spotCost: number }>;
  sources: Set<string>;
  isSimulated: boolean;
};

const maxLoadsAtOnce = 1000; // between two turns of the event loop

/** Every interval needs its price: an invoice that leaves hours out would be wrong. */
export async function useOf(loads: readonly Load[], { points, failure }: KnownSpot, terms: Terms): Promise<EnergyUse> {
  const spotOf = createSpot(points);
  const chargesOf = createCharges(terms);
  const use: EnergyUse = {
    imported: 0,
    exported: 0,
    spotCost: 0,
    spotIncome: 0,
    charges: new Map(),
    sources: new Set(),
    isSimulated: false,
  };
  for (const [n, { start, end, imported, exported }] of loads.entries()) {
    if (n % maxLoadsAtOnce === maxLoadsAtOnce - 1) await setImmediate(); // others are answered meanwhile
    const spot = spotOf(start, end);
    if (!spot)
      throw failure ?? new Problem('not_found', `No price of ${terms.area.code} is known at ${formatTime(start)}.`);
    const spotPrice = (spot.eur_per_mwh * terms.perEuro) / 1000;
    const price = fromMillionths(toMillionths(spotPrice)); // as the total price has it
    use.imported += imported;
    use.exported += exported;
    use.spotCost += imported * price;
    use.spotIncome += exported * price;
    use.sources.add(spot.source);
    use.isSimulated ||= spot.isSimulated;
    const charges = chargesOf(start);
    if (!charges) throw uncovered(terms.tariff!, [dateAt(terms.tariff!.given.timeZone, start)]);
    for (const charge of charges) {
      let sum = use.charges.get(charge);
      if (!sum) {
        sum = { kwh: 0, spotCost: 0 };
        use.charges.set(charge, sum);
      }
      sum.kwh += imported;
      if (charge.spotMultiplier !== 0)
        sum.spotCost += imported * fromMillionths(toMillionths(charge.spotMultiplier * spotPrice));
    }
  }
  return use;
}
