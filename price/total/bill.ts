import { setImmediate } from 'node:timers/promises';
import type { Bill, BillLine, LoadInterval } from '#contract/price/total.ts';
import { Problem } from '#contract/problem.ts';
import { dayMs, formatTime } from '#contract/time.ts';
import type { Component, Interval } from '../tariffs/eltariff.ts';
import { daysOf, intersection, periodsOf } from './billing-period.ts';
import { type Charge, checkStepLength, createPricer, type Pricer, type TimeRange } from './charges.ts';
import { assumedTariffs, countChargedDays, type GridTariff } from './grid-tariff.ts';
import { type Load, readLoadCurve } from './load-curve.ts';
import { fromCents, fromMillionths, roundQuantity, toCents, toMillionths } from './money.ts';
import { powerUses } from './peaks.ts';
import { resolveTerms, type Terms, type TermsQuery, type TotalDeps } from './terms.ts';
import { daysBetween, subjectOf, termsMetadata } from './total-price.ts';

const maxRangeMs = 400 * dayMs;

export type BillRequest = TermsQuery & { intervals: readonly LoadInterval[] };

/** Calculates the bill of a load curve. Lines are rounded to cents, so that they add up. */
export async function makeBill(asked: BillRequest, deps: TotalDeps): Promise<Bill> {
  const loads = readLoadCurve(asked.intervals);
  const range = rangeOf(loads);
  if (range.end - range.start > maxRangeMs)
    throw new Problem('unprocessable', 'A load curve may span at most 400 days.');
  const terms = await resolveTerms(asked, deps);
  checkStepLength(terms, range.longestMs);
  const pricer = await createPricer(terms, deps.prices, range);
  const use = await sumEnergyUse(loads, pricer);

  const billed = daysBetween(terms, range);
  const assumed = assumedTariffs(terms.tariff, billed);
  const notes = [...terms.notes, ...assumed.notes];
  const taxed = [...energyLines(use, terms), ...gridLines(loads, terms, billed, notes)];
  const lines = [...taxed, ...vatLines(taxed, terms), ...exportLines(use, notes)];
  return {
    ...subjectOf(terms),
    total: fromCents(centsOf(lines)),
    lines,
    metadata: {
      ...termsMetadata({ ...terms, notes }, pricer.found),
      ...assumed.metadata,
      from: formatTime(range.start),
      to: formatTime(range.end),
      total_points: loads.length,
      import_kwh: roundQuantity(use.imported),
      export_kwh: roundQuantity(use.exported),
    },
  };
}

function rangeOf(loads: readonly Load[]): TimeRange & { longestMs: number } {
  const range = { start: Number.POSITIVE_INFINITY, end: 0, longestMs: 0 };
  for (const { start, end } of loads) {
    range.start = Math.min(range.start, start);
    range.end = end;
    range.longestMs = Math.max(range.longestMs, end - start);
  }
  return range;
}

const centsOf = (lines: readonly BillLine[]): number => lines.reduce((sum, { amount }) => sum + toCents(amount), 0);

type Quantity = Pick<BillLine, 'kind' | 'name' | 'quantity' | 'unit'>;

const line = (what: Quantity, price: number, amount: number): BillLine => ({
  ...what,
  quantity: roundQuantity(what.quantity),
  price: fromMillionths(toMillionths(price)),
  amount: fromCents(toCents(amount)),
});

const meanLine = (what: Quantity, amount: number): BillLine =>
  line(what, what.quantity === 0 ? 0 : amount / what.quantity, amount);

function energyLines({ imported, spotCost, charges }: EnergyUse, { markup }: Terms): BillLine[] {
  const kwh = (kind: BillLine['kind'], name: string): Quantity => ({ kind, name, quantity: imported, unit: 'kWh' });
  const markupPrice = fromMillionths(markup ?? 0);
  return [
    meanLine(kwh('spot', 'Spot price'), spotCost),
    ...(markup === undefined ? [] : [line(kwh('markup', 'Markup'), markupPrice, imported * markupPrice)]),
    ...[...charges].map(([{ kind, name }, { quantity, cost }]) => meanLine({ ...kwh(kind, name), quantity }, cost)),
  ];
}

function gridLines(loads: readonly Load[], { tariff, book }: Terms, billed: Interval, notes: string[]): BillLine[] {
  if (!tariff) return [];
  const fixed = fixedFees(tariff, billed).map(({ component, price, count }) =>
    line({ kind: 'fixed', name: component.name, quantity: count, unit: unitOf(component) }, price, count * price),
  );
  const power = powerUses(loads, tariff, book);
  notes.push(...power.notes);
  return [
    ...fixed,
    ...power.uses.map(({ tariff: list, component, price, period, kw, peaks }): BillLine => {
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

/** A fixed fee, its price before VAT, and the number of its periods that are due. */
type FixedFee = { component: Component; price: number; count: number };

/** Counts the periods of each fixed fee; a partly billed period counts by its days. */
export const fixedFees = (tariff: GridTariff, billed: Interval): FixedFee[] =>
  tariff.all.flatMap((list) =>
    list.fixedPrice.components.flatMap((component) => {
      let count = 0;
      for (const period of periodsOf(component.pricedPeriod ?? 'P1M', billed))
        count += countChargedDays(tariff, list, component, intersection(period, billed)) / daysOf(period);
      return count > 0 && component.price ? [{ component, price: component.price.priceExVat, count }] : [];
    }),
  );

const units: Readonly<Record<string, string>> = { P1D: 'day', P1W: 'week', P1M: 'month', P1Y: 'year' };

export const unitOf = ({ pricedPeriod = 'P1M' }: Component): string => units[pricedPeriod] ?? pricedPeriod;

type EnergyUse = {
  imported: number;
  exported: number;
  spotCost: number;
  spotIncome: number;
  charges: Map<Charge, { quantity: number; cost: number }>;
};

const maxLoadsAtOnce = 1000; // between two turns of the event loop

/** Sums the energy and its cost; throws a Problem when any interval has no price. */
async function sumEnergyUse(loads: readonly Load[], pricer: Pricer): Promise<EnergyUse> {
  const use: EnergyUse = { imported: 0, exported: 0, spotCost: 0, spotIncome: 0, charges: new Map() };
  for (const [n, load] of loads.entries()) {
    if (n % maxLoadsAtOnce === maxLoadsAtOnce - 1) await setImmediate(); // lets other requests run
    const priced = pricer.price(load);
    if (!priced) throw pricer.missing(`at ${formatTime(load.start)}`);
    const { imported, exported } = load;
    const spotPrice = fromMillionths(priced.spot);
    use.imported += imported;
    use.exported += exported;
    use.spotCost += imported * spotPrice;
    use.spotIncome += exported * spotPrice;
    for (const { charge, amount } of priced.charges) {
      const sum = use.charges.get(charge) ?? { quantity: 0, cost: 0 };
      sum.quantity += imported;
      sum.cost += imported * fromMillionths(amount);
      use.charges.set(charge, sum);
    }
  }
  return use;
}
