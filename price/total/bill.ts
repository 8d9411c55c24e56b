import type { Bill, BillLine, NextPeak } from '#contract/price/total.ts';
import { Problem } from '#contract/problem.ts';
import { dayMs, formatTime } from '#contract/time.ts';
import type { Component, Interval } from '../tariffs/eltariff.ts';
import { assumedFromDays, assumeUnknownPrices } from './assumed-prices.ts';
import { centsOf, lineOf, meanLine } from './bill-line.ts';
import { daysOf, intersection, periodsOf } from './billing-period.ts';
import { capacityLines } from './capacity.ts';
import { checkStepLength, hasSpotLinkedPrices, type TimeRange } from './charges.ts';
import { type BillRequest, type ContractSpan, contractSpans } from './contract-spans.ts';
import { type GridUse, needsSpot, sumEnergyUse } from './energy-use.ts';
import { assumedTariffs, countChargedDays, type GridTariff } from './grid-tariff.ts';
import { levyNotes } from './levies.ts';
import { type Load, readLoadCurve } from './load-curve.ts';
import { fromCents, fromMillionths, roundQuantity, toMillionths } from './money.ts';
import { type PeakThreshold, powerUses } from './peaks.ts';
import { loadSpotPrices, type SpotPrices } from './spot.ts';
import { exportLines, supplierLines } from './supplier-lines.ts';
import { supportLines } from './support.ts';
import { taxReductionLines } from './tax-reduction.ts';
import type { Terms, TotalDeps } from './terms.ts';
import { daysBetween, subjectOf, termsMetadata } from './total-price.ts';

const maxRangeMs = 400 * dayMs;

/** Calculates the bill of a load curve. Lines are rounded to cents, so that they add up. */
export async function makeBill(asked: BillRequest, deps: TotalDeps): Promise<Bill> {
  const loads = readLoadCurve(asked.intervals);
  const range = rangeOf(loads);
  if (range.end - range.start > maxRangeMs)
    throw new Problem('unprocessable', 'A load curve may span at most 400 days.');
  const spans = await contractSpans(asked, range, deps);
  for (const { terms } of spans) checkStepLength(terms, range.longestMs);
  const spot = await loadSpot(loads, spans, { ...range, mayAssume: asked.assume_unknown_prices ?? false }, deps);
  const { supplier, grid, found } = await sumEnergyUse(loads, spans, spot);

  const grids = grid.map((use) => gridPart(use, grid.length > 1));
  const dated = ({ days }: ContractSpan, lines: BillLine[]): BillLine[] => withDays(lines, days, spans.length > 1);
  const taxed: TaxedLines[] = [
    ...supplier.map((use) => ({ terms: use.span.terms, lines: dated(use.span, supplierLines(use)) })),
    ...grids,
    ...supplier.map((use) => ({ terms: use.span.terms, lines: dated(use.span, supportLines(use, spot)) })),
  ];
  const reductions = taxReductionLines(supplier);
  const paid = supplier.flatMap((use, n) => dated(use.span, [...exportLines(use), ...(reductions[n] ?? [])]));
  const lines = [...taxed.flatMap((part) => part.lines), ...vatLines(taxed), ...paid];
  const { terms } = spans.at(-1)!; // a load curve is not empty
  const notes = new Set([...spans.flatMap((span) => span.terms.notes), ...grids.flatMap((part) => part.notes)]);
  if (supplier.some(({ span, exported }) => exported > 0 && !span.period)) notes.add(exportNote);
  if (spot.assumedFrom !== undefined) notes.add(assumedNote);
  const expired = grids.flatMap((part) => part.expired);
  return {
    ...subjectOf(terms),
    total: fromCents(centsOf(lines)),
    lines,
    ...nextPeak(grids),
    metadata: {
      ...termsMetadata({ ...terms, notes: [...notes] }, found),
      ...(grids.some((part) => part.isAssumed) && { assumed: true as const }),
      ...(expired.length > 0 && { assumed_tariffs: expired }),
      from: formatTime(range.start),
      to: formatTime(range.end),
      ...(spot.assumedFrom !== undefined && { assumed_prices: formatTime(spot.assumedFrom) }),
      total_points: loads.length,
      import_kwh: roundQuantity(supplier.reduce((sum, { imported }) => sum + imported, 0)),
      export_kwh: roundQuantity(supplier.reduce((sum, { exported }) => sum + exported, 0)),
    },
  };
}

const exportNote = 'Exported energy is paid at the spot price, without VAT, grid benefit or tax reduction.';
const assumedNote = `Spot prices that are not published yet are assumed to be the mean of the last ${assumedFromDays} known days.`;

function rangeOf(loads: readonly Load[]): TimeRange & { longestMs: number } {
  const range = { start: Number.POSITIVE_INFINITY, end: 0, longestMs: 0 };
  for (const { start, end } of loads) {
    range.start = Math.min(range.start, start);
    range.end = end;
    range.longestMs = Math.max(range.longestMs, end - start);
  }
  return range;
}

/** Loads the spot prices if anything depends on them; assumes those of the future when the request allows it. */
async function loadSpot(
  loads: readonly Load[],
  spans: readonly ContractSpan[],
  { start, end, mayAssume }: TimeRange & { mayAssume: boolean },
  { prices, clock }: TotalDeps,
): Promise<SpotPrices & { assumedFrom?: number | undefined }> {
  const exported = loads.some((load) => load.exported > 0) ? 1 : 0;
  if (!spans.some((span) => needsSpot(span, { exported }) || hasSpotLinkedPrices(span.terms)))
    return { points: [], failure: undefined };
  const { area } = spans[0]!.terms; // all contracts are in the same area
  const now = clock.now();
  if (!mayAssume) return loadSpotPrices(prices, area, start, end);
  const first = end > now ? Math.min(start, now - assumedFromDays * dayMs) : start;
  const known = await loadSpotPrices(prices, area, first, Math.min(end, Math.max(start, now) + 2 * dayMs));
  const assumed = assumeUnknownPrices(known, area, { start, end });
  const isPast = assumed.assumedFrom !== undefined && assumed.assumedFrom < now;
  return known.failure && isPast ? known : assumed; // a source that fails now may have the price
}

type TaxedLines = { terms: Terms; lines: BillLine[] };

const withDays = (lines: BillLine[], { fromIncluding: from, toExcluding: to }: Interval, isNeeded: boolean) =>
  isNeeded ? lines.map((line) => ({ ...line, from, to })) : lines;

type GridPart = TaxedLines & {
  thresholds: PeakThreshold[];
  expired: NonNullable<Bill['metadata']['assumed_tariffs']>;
  isAssumed: boolean;
  notes: string[];
};

/** Lists what the grid operator and the state charge, before VAT. */
function gridPart({ terms, loads, charges, ...range }: GridUse, isDated: boolean): GridPart {
  const billed = daysBetween(terms, range);
  const { tariff, book } = terms;
  const taxNotes = levyNotes(terms.area, billed);
  const energy = [...charges].map(([{ kind, name }, { quantity, cost }]) =>
    meanLine({ kind, name, quantity, unit: 'kWh' }, cost),
  );
  if (!tariff)
    return {
      terms,
      lines: withDays(energy, billed, isDated),
      thresholds: [],
      expired: [],
      isAssumed: false,
      notes: taxNotes,
    };
  const fixed = fixedFees(tariff, billed).map(({ component, price, count }) =>
    lineOf({ kind: 'fixed', name: component.name, quantity: count, unit: unitOf(component) }, price, count * price),
  );
  const power = powerUses(loads, tariff, book);
  const powerLines = power.uses.map(({ tariff: list, component, price, period, kw, peaks }): BillLine => {
    const share = countChargedDays(tariff, list, component, intersection(period, billed)) / daysOf(period);
    return {
      ...lineOf({ kind: 'power', name: component.name, quantity: kw, unit: 'kW' }, price, kw * price * share),
      from: period.fromIncluding,
      to: period.toExcluding,
      ...(share < 1 && { share: roundQuantity(share) }),
      peaks,
    };
  });
  const assumed = assumedTariffs(tariff, billed);
  return {
    terms,
    lines: [
      ...withDays([...energy, ...fixed], billed, isDated),
      ...powerLines,
      ...capacityLines(loads, tariff, billed),
    ],
    thresholds: power.thresholds,
    expired: assumed.metadata.assumed_tariffs ?? [],
    isAssumed: assumed.metadata.assumed ?? false,
    notes: [...assumed.notes, ...taxNotes, ...power.notes],
  };
}

/** Calculates the VAT of all lines with the same rate together. */
function vatLines(parts: readonly TaxedLines[]): BillLine[] {
  const bases = new Map<number, number>();
  for (const { terms, lines } of parts) {
    const percent = terms.vat?.percent;
    if (percent !== undefined) bases.set(percent, (bases.get(percent) ?? 0) + centsOf(lines));
  }
  return [...bases].map(([percent, cents]) => {
    const base = fromCents(cents);
    const what = {
      kind: 'vat',
      name: `VAT ${percent} %`,
      quantity: base,
      unit: parts[0]?.terms.currency ?? '',
    } as const;
    return lineOf(what, percent / 100, (base * percent) / 100);
  });
}

/** Describes the next higher peak of the tariff at the end of the range; nothing when it has no power charge. */
function nextPeak(grids: readonly GridPart[]): { next_peak?: NextPeak | null } {
  const last = grids.at(-1);
  if (!last?.lines.some(({ kind }) => kind === 'power')) return {};
  const aboveKw = Math.min(...last.thresholds.map((threshold) => threshold.aboveKw));
  if (last.thresholds.length === 0) return { next_peak: null };
  const cost = last.thresholds.reduce((sum, each) => sum + (each.aboveKw <= aboveKw ? each.costPerKw : 0), 0);
  const withVat = cost * (1 + (last.terms.vat?.percent ?? 0) / 100);
  return { next_peak: { above_kw: roundQuantity(aboveKw), cost_per_kw: fromMillionths(toMillionths(withVat)) } };
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
