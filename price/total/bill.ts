import { setImmediate } from 'node:timers/promises';
import type { Bill, BillLine, LoadInterval } from '#contract/price/total.ts';
import { Problem } from '#contract/problem.ts';
import { dayMs, formatTime } from '#contract/time.ts';
import { dateAt } from '#contract/time-zone.ts';
import type { Component, Interval } from '../tariffs/eltariff.ts';
import { daysOf, intersection, periodsOf } from './billing-period.ts';
import { type Charge, checkStepLength, createChargeLookup } from './charges.ts';
import { assumedTariffs, countChargedDays, type GridTariff, uncoveredProblem } from './grid-tariff.ts';
import { type Load, readLoadCurve } from './load-curve.ts';
import { fromCents, fromMillionths, roundQuantity, toCents, toMillionths } from './money.ts';
import { powerUses } from './peaks.ts';
import { createSpotLookup, loadSpotPrices, type SpotPrices } from './spot.ts';
import { resolveTerms, type Terms, type TermsQuery, type TotalDeps } from './terms.ts';
import { daysBetween, subjectOf, termsMetadata } from './total-price.ts';

const maxRangeMs = 400 * dayMs;

export type BillRequest = TermsQuery & { intervals: readonly LoadInterval[] };

/** Calculates the bill of a load curve. Lines are rounded to cents, so that they add up. */
export async function makeBill(asked: BillRequest, deps: TotalDeps): Promise<Bill> {
  const loads = readLoadCurve(asked.intervals);
  const { start } = loads[0]!;
  const { end } = loads.at(-1)!;
  if (end - start > maxRangeMs) throw new Problem('unprocessable', 'A load curve may span at most 400 days.');
  const terms = await resolveTerms(asked, deps);
  checkStepLength(
    terms,
    loads.reduce((longest, load) => Math.max(longest, load.end - load.start), 0),
  );
  const use = await sumEnergyUse(loads, await loadSpotPrices(deps.prices, terms.area, start, end), terms);

  const assumed = assumedTariffs(terms.tariff, daysBetween(terms, start, end));
  const notes = [...terms.notes, ...assumed.notes];
  const taxed = [...energyLines(use, terms), ...gridLines(loads, terms, notes)];
  const lines = [...taxed, ...vatLines(taxed, terms), ...exportLines(use, notes)];
  return {
    ...subjectOf(terms),
    total: fromCents(centsOf(lines)),
    lines,
    metadata: {
      ...termsMetadata({ ...terms, notes }, use),
      ...assumed.metadata,
      from: formatTime(start),
      to: formatTime(end),
      total_points: loads.length,
      import_kwh: roundQuantity(use.imported),
      export_kwh: roundQuantity(use.exported),
    },
  };
}

const centsOf = (lines: readonly BillLine[]): number => lines.reduce((sum, { amount }) => sum + toCents(amount), 0);

type Quantity = Pick<BillLine, 'kind' | 'name' | 'quantity' | 'unit'>;

const line = (what: Quantity, price: number, amount: number): BillLine => ({
  ...what,
  quantity: roundQuantity(what.quantity),
  price: fromMillionths(toMillionths(price)),
  amount: fromCents(toCents(amount)),
});

/** Creates a line with a mean price. */
const meanLine = (what: Quantity, amount: number): BillLine =>
  line(what, what.quantity === 0 ? 0 : amount / what.quantity, amount);

function energyLines(use: EnergyUse, { markup }: Terms): BillLine[] {
  const of = (kind: BillLine['kind'], name: string, quantity: number): Quantity => ({
    kind,
    name,
    quantity,
    unit: 'kWh',
  });
  const markupPrice = fromMillionths(markup ?? 0);
  return [
    meanLine(of('spot', 'Spot price', use.imported), use.spotCost),
    ...(markup === undefined
      ? []
      : [line(of('markup', 'Markup', use.imported), markupPrice, use.imported * markupPrice)]),
    ...[...use.charges].map(([{ kind, name, price }, { kwh, spotCost }]) =>
      meanLine(of(kind, name, kwh), kwh * fromMillionths(price) + spotCost),
    ),
  ];
}

function gridLines(loads: readonly Load[], terms: Terms, notes: string[]): BillLine[] {
  const { tariff, book } = terms;
  if (!tariff) return [];
  const billed = daysBetween(terms, loads[0]!.start, loads.at(-1)!.end);
  const fixed = fixedFees(tariff, billed).map(({ component, count }) => {
    const price = component.price!.priceExVat;
    return line(
      { kind: 'fixed', name: component.name, quantity: count, unit: unitOf(component) },
      price,
      count * price,
    );
  });
  const power = powerUses(loads, tariff, book);
  notes.push(...power.notes);
  return [
    ...fixed,
    ...power.uses.map(({ tariff: list, component, period, kw, peaks }): BillLine => {
      const price = component.price!.priceExVat;
      const share = countChargedDays(tariff, list, component, intersection(period, billed)) / daysOf(period);
      return {
        ...line({ kind: 'power', name: component.name, quantity: kw, unit: 'kW' }, price, kw * price * share),
        from: period.fromIncluding,
        to: period.toExcluding,
        ...(share < 1 && { share: roundQuantity(share) }),
        peaks,
      };
    }),
  ];
}

function vatLines(taxed: readonly BillLine[], { vat, currency }: Terms): BillLine[] {
  if (!vat) return [];
  const base = fromCents(centsOf(taxed));
  const what: Quantity = { kind: 'vat', name: `VAT ${vat.percent} %`, quantity: base, unit: currency };
  return [line(what, vat.percent / 100, (base * vat.percent) / 100)];
}

/** Exported energy is paid at the spot price, without VAT. */
function exportLines({ exported, spotIncome }: EnergyUse, notes: string[]): BillLine[] {
  if (exported === 0) return [];
  notes.push('Exported energy is paid at the spot price, without VAT, grid benefit or tax reduction.');
  return [
    meanLine({ kind: 'export', name: 'Exported at the spot price', quantity: exported, unit: 'kWh' }, -spotIncome),
  ];
}

/** A fixed fee and the number of its periods that are due. */
type FixedFee = { component: Component; count: number };

/** Counts the periods of each fixed fee; a partly billed period counts by its days. */
export function fixedFees(tariff: GridTariff, billed: Interval): FixedFee[] {
  return tariff.all
    .flatMap((list) =>
      list.fixedPrice.components.map((component) => {
        const parts = periodsOf(component.pricedPeriod ?? 'P1M', billed).map(
          (period) => countChargedDays(tariff, list, component, intersection(period, billed)) / daysOf(period),
        );
        return { component, count: parts.reduce((sum, part) => sum + part, 0) };
      }),
    )
    .filter(({ component, count }) => count > 0 && component.price);
}

const units: Readonly<Record<string, string>> = { P1D: 'day', P1W: 'week', P1M: 'month', P1Y: 'year' };

export const unitOf = ({ pricedPeriod = 'P1M' }: Component): string => units[pricedPeriod] ?? pricedPeriod;

/** Imported and exported energy and its cost before VAT. */
type EnergyUse = {
  imported: number;
  exported: number;
  spotCost: number;
  spotIncome: number;
  /** the energy of each charge, and the cost of its share of the spot price */
  charges: Map<Charge, { kwh: number; spotCost: number }>;
  sources: Set<string>;
  isSimulated: boolean;
};

const maxLoadsAtOnce = 1000; // between two turns of the event loop

/** Sums the energy and its cost; throws a Problem when any interval has no price. */
async function sumEnergyUse(loads: readonly Load[], { points, failure }: SpotPrices, terms: Terms): Promise<EnergyUse> {
  const spotOf = createSpotLookup(points);
  const chargesOf = createChargeLookup(terms);
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
    if (n % maxLoadsAtOnce === maxLoadsAtOnce - 1) await setImmediate(); // lets other requests run
    const spot = spotOf(start, end);
    if (!spot)
      throw failure ?? new Problem('not_found', `No price of ${terms.area.code} is known at ${formatTime(start)}.`);
    const spotPrice = (spot.eur_per_mwh * terms.perEuro) / 1000;
    const price = fromMillionths(toMillionths(spotPrice)); // rounded as in the total price
    use.imported += imported;
    use.exported += exported;
    use.spotCost += imported * price;
    use.spotIncome += exported * price;
    use.sources.add(spot.source);
    use.isSimulated ||= spot.isSimulated;
    const charges = chargesOf(start);
    if (!charges) throw uncoveredProblem(terms.tariff!, [dateAt(terms.tariff!.given.timeZone, start)]);
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
