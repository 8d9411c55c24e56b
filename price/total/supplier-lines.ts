import type { ContractPeriod } from '#contract/price/contract.ts';
import type { BillLine } from '#contract/price/total.ts';
import { lineOf, meanLine, type Quantity } from './bill-line.ts';
import { daysOf, intersection, periodsOf } from './billing-period.ts';
import type { ContractSpan } from './contract-spans.ts';
import type { SupplierUse } from './energy-use.ts';
import { fromMillionths } from './money.ts';

const kwhOf = (kind: BillLine['kind'], name: string, quantity: number): Quantity => ({
  kind,
  name,
  quantity,
  unit: 'kWh',
});

/** Lists what the supplier charges, before VAT: energy, markup and monthly fee. */
export function supplierLines({ span, imported, spotCost }: SupplierUse): BillLine[] {
  const { period } = span;
  const energy =
    period?.fixed_price_per_kwh === undefined
      ? meanLine(kwhOf('spot', 'Spot price', imported), spotCost)
      : priceLine(kwhOf('energy', 'Energy at a fixed price', imported), period.fixed_price_per_kwh);
  const markup = markupOf(span);
  const fee = period?.monthly_fee;
  return [
    energy,
    ...(markup === undefined ? [] : [priceLine(kwhOf('markup', 'Markup', imported), markup)]),
    ...(fee === undefined ? [] : [priceLine(monthsOf(span), fee)]),
  ];
}

const markupOf = ({ period, terms }: ContractSpan): number | undefined => {
  if (period) return period.markup_per_kwh;
  return terms.markup === undefined ? undefined : fromMillionths(terms.markup);
};

const priceLine = (what: Quantity, price: number): BillLine => lineOf(what, price, what.quantity * price);

/** Counts the months of a contract; a part of a month counts by its days. */
function monthsOf({ days }: ContractSpan): Quantity {
  let count = 0;
  for (const month of periodsOf('P1M', days)) count += daysOf(intersection(month, days)) / daysOf(month);
  return { kind: 'fee', name: 'Monthly fee', quantity: count, unit: 'month' };
}

/** Lists the payments for exported energy, which have no VAT. */
export function exportLines({ span, exported, spotIncome }: SupplierUse): BillLine[] {
  if (exported === 0) return [];
  const { period } = span;
  const benefit = period?.export_grid_benefit_per_kwh;
  return [
    soldLine(period?.export, exported, spotIncome),
    ...(benefit === undefined ? [] : [priceLine(kwhOf('compensation', 'Grid benefit', exported), -benefit)]),
  ];
}

function soldLine(sold: ContractPeriod['export'], exported: number, spotIncome: number): BillLine {
  if (sold?.price_per_kwh !== undefined)
    return priceLine(kwhOf('export', 'Exported at a fixed price', exported), -sold.price_per_kwh);
  const adjustment = sold?.adjustment_per_kwh ?? 0;
  const name = adjustment === 0 ? '' : ` ${adjustment < 0 ? '-' : '+'} ${Math.abs(adjustment)}`;
  const income = spotIncome + exported * adjustment;
  return meanLine(kwhOf('export', `Exported at the spot price${name}`, exported), -income);
}
