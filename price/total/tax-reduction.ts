import type { BillLine } from '#contract/price/total.ts';
import { startOfDate, wallAt } from '#contract/time-zone.ts';
import { lineOf } from './bill-line.ts';
import type { SupplierUse } from './energy-use.ts';

/** The energy of a contract within a calendar year. */
type YearUse = { imported: number; exported: number };

/**
 * Calculates the tax reduction for exported energy of each contract and calendar year: for no more energy than was
 * imported in the billed part of the year, and no more than the yearly limit.
 */
export function taxReductionLines(uses: readonly SupplierUse[]): BillLine[][] {
  if (!uses.some(({ span }) => span.period?.tax_reduction)) return uses.map(() => []);
  const years = uses.map(sumByYear);
  const importedIn = new Map<number, number>();
  for (const each of years)
    for (const [year, { imported }] of each) importedIn.set(year, (importedIn.get(year) ?? 0) + imported);

  const exportedIn = new Map<number, number>(); // under contracts with a reduction
  const reducedIn = new Map<number, number>();
  return uses.map(({ span }, n) => {
    const reduction = span.period?.tax_reduction;
    if (!reduction) return [];
    const { per_kwh: price, max_kwh_per_year: limit = Number.POSITIVE_INFINITY } = reduction;
    let kwh = 0;
    for (const [year, { exported }] of years[n] ?? []) {
      const total = (exportedIn.get(year) ?? 0) + exported;
      const before = reducedIn.get(year) ?? 0;
      const reduced = Math.max(before, Math.min(total, importedIn.get(year) ?? 0, limit));
      exportedIn.set(year, total);
      reducedIn.set(year, reduced);
      kwh += reduced - before;
    }
    const what = { kind: 'tax_reduction', name: 'Tax reduction', quantity: kwh, unit: 'kWh' } as const;
    return kwh > 0 ? [lineOf(what, -price, -kwh * price)] : [];
  });
}

function sumByYear({ span, loads }: SupplierUse): Map<number, YearUse> {
  const { timeZone } = span.terms;
  const years = new Map<number, YearUse>();
  let current: YearUse & { end: number } = { imported: 0, exported: 0, end: Number.NEGATIVE_INFINITY };
  for (const { start, imported, exported } of loads) {
    if (start >= current.end) {
      const year = new Date(wallAt(timeZone, start)).getUTCFullYear();
      current = { imported: 0, exported: 0, end: startOfDate(timeZone, `${year + 1}-01-01`) };
      years.set(year, current);
    }
    current.imported += imported;
    current.exported += exported;
  }
  return years;
}
