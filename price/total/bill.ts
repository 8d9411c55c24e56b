import type { Bill, BillLine, LoadInterval } from '#contract/price/total.ts';
import { Problem } from '#contract/problem.ts';
import { dayMs, formatTime } from '#contract/time.ts';
import { common, daysOf } from './billing-period.ts';
import { refuseLongSteps } from './charges.ts';
import { type EnergyUse, useOf } from './energy-use.ts';
import { fixedFees, unitOf } from './fixed-fees.ts';
import { assumption, daysCharged } from './grid-tariff.ts';
import { type Load, readLoadCurve } from './load-curve.ts';
import { fromCents, fromMillionths, roundQuantity, toCents, toMillionths } from './money.ts';
import { powerUses } from './peaks.ts';
import { knownSpot } from './spot.ts';
import { type AskedTerms, resolveTerms, type Terms, type TotalDeps } from './terms.ts';
import { daysBetween, subjectOf, termsMetadata } from './total-price.ts';

const longestMs = 400 * dayMs;

export type AskedBill = AskedTerms & { intervals: readonly LoadInterval[] };

/** The invoice of a load curve. Its lines are in cents, so that they add up. */
export async function makeBill(asked: AskedBill, deps: TotalDeps): Promise<Bill> {
  const loads = readLoadCurve(asked.intervals);
  const { start } = loads[0]!;
  const { end } = loads.at(-1)!;
  if (end - start > longestMs) throw new Problem('unprocessable', 'A load curve may span at most 400 days.');
  const terms = await resolveTerms(asked, deps);
  refuseLongSteps(
    terms,
    loads.reduce((longest, load) => Math.max(longest, load.end - load.start), 0),
  );
  const use = await useOf(loads, await knownSpot(deps.prices, terms.area, start, end), terms);

  const assumed = assumption(terms.tariff, daysBetween(terms, start, end));
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

/** A line whose price is the mean of many. */
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
      const share = daysCharged(tariff, list, component, common(period, billed)) / daysOf(period);
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

/** What was sold is paid at the spot price; a household charges no VAT on it. */
function exportLines({ exported, spotIncome }: EnergyUse, notes: string[]): BillLine[] {
  if (exported === 0) return [];
  notes.push('Exported energy is paid at the spot price, without VAT, grid benefit or tax reduction.');
  return [
    meanLine({ kind: 'export', name: 'Exported at the spot price', quantity: exported, unit: 'kWh' }, -spotIncome),
  ];
}
