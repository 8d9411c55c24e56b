import { setImmediate } from 'node:timers/promises';
import { formatTime } from '#contract/time.ts';
import { type Charge, createPricer, noSources, type Pricer, type PriceSources, type TimeRange } from './charges.ts';
import type { ContractSpan } from './contract-spans.ts';
import type { Load } from './load-curve.ts';
import { fromMillionths } from './money.ts';
import type { SpotPrices } from './spot.ts';
import type { Terms } from './terms.ts';

/** The energy of a contract, and its value at the spot price. */
export type SupplierUse = {
  span: ContractSpan;
  loads: Load[];
  imported: number;
  exported: number;
  spotCost: number;
  spotIncome: number;
};

/** The energy of adjacent contracts that share a grid tariff and VAT. */
export type GridUse = TimeRange & {
  terms: Terms;
  loads: Load[];
  charges: Map<Charge, { quantity: number; cost: number }>;
};

export type EnergyUse = { supplier: SupplierUse[]; grid: GridUse[]; found: PriceSources };

const maxLoadsAtOnce = 1000; // between two turns of the event loop

/** Tells whether the cost of a load depends on the spot price, apart from the grid tariff. */
export const needsSpot = ({ period }: ContractSpan, { exported }: Pick<Load, 'exported'>): boolean =>
  period?.pricing !== 'fixed' || period.support !== undefined || (exported > 0 && period.export?.pricing !== 'fixed');

/** Sums the energy and its cost; throws a Problem when any interval has no price. */
export async function sumEnergyUse(
  loads: readonly Load[],
  spans: readonly ContractSpan[],
  spot: SpotPrices,
): Promise<EnergyUse> {
  const found = noSources();
  const pricers = new Map<Terms, Pricer>();
  const supplier: SupplierUse[] = [];
  const grid: GridUse[] = [];
  let next = 0;
  for (const span of spans) {
    const pricer = pricers.get(span.terms) ?? createPricer(span.terms, spot, found);
    pricers.set(span.terms, pricer);
    const use: SupplierUse = { span, loads: [], imported: 0, exported: 0, spotCost: 0, spotIncome: 0 };
    const grown = extendGrid(grid, span);
    supplier.push(use);
    for (let load = loads[next]; load && load.start < span.end; load = loads[next]) {
      if (++next % maxLoadsAtOnce === 0) await setImmediate(); // lets other requests run
      const { imported, exported } = load;
      const priced = pricer.price(load, needsSpot(span, load));
      if (!priced) throw pricer.missing(`at ${formatTime(load.start)}`);
      const spotPrice = fromMillionths(priced.spot);
      use.loads.push(load);
      use.imported += imported;
      use.exported += exported;
      use.spotCost += imported * spotPrice;
      use.spotIncome += exported * spotPrice;
      grown.loads.push(load);
      for (const { charge, amount } of priced.charges) {
        const sum = grown.charges.get(charge) ?? { quantity: 0, cost: 0 };
        sum.quantity += imported;
        sum.cost += imported * fromMillionths(amount);
        grown.charges.set(charge, sum);
      }
    }
  }
  return { supplier, grid, found };
}

/** Returns the use that a contract belongs to: the last one if it has the same terms, else a new one. */
function extendGrid(grid: GridUse[], { start, end, terms }: ContractSpan): GridUse {
  const last = grid.at(-1);
  if (last?.terms === terms) {
    last.end = end;
    return last;
  }
  const use: GridUse = { start, end, terms, loads: [], charges: new Map() };
  grid.push(use);
  return use;
}
