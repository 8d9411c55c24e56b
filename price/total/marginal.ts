import { setImmediate } from 'node:timers/promises';
import { type MarginalPrice, maxMarginalDays, type PriceTerm } from '#contract/price/marginal.ts';
import { fieldProblem } from '#contract/problem.ts';
import { dayMs, formatTime, hourMs } from '#contract/time.ts';
import { dateAt } from '#contract/time-zone.ts';
import { readInstant } from '../electricity/market-day.ts';
import { createChargeLookup } from './charges.ts';
import { type BillRequest, type ContractSpan, contractSpans } from './contract-spans.ts';
import { assumedTariffs } from './grid-tariff.ts';
import { fromMillionths } from './money.ts';
import { powerCharges } from './power-charges.ts';
import { loadSpotPrices } from './spot.ts';
import { supportOn } from './support.ts';
import type { TotalDeps } from './terms.ts';
import { daysBetween, subjectOf } from './total-price.ts';

export type MarginalRequest = Omit<BillRequest, 'intervals'> & { from: string | number; to: string | number };

const quarterMs = hourMs / 4;
const quartersAtOnce = 1000; // between two turns of the event loop

/** Returns what one more kilowatt-hour costs and earns a household, and its power charges. */
export async function marginalPrice(asked: MarginalRequest, deps: TotalDeps): Promise<MarginalPrice> {
  const range = { start: instantOf('from', asked.from), end: instantOf('to', asked.to) };
  if (range.end <= range.start) throw fieldProblem('unprocessable', 'body.to', 'must be later than the start');
  if (range.end - range.start > maxMarginalDays * dayMs)
    throw fieldProblem('unprocessable', 'body.to', `must be at most ${maxMarginalDays} days later`);
  const spans = await contractSpans({ ...asked, intervals: [] }, range, deps);
  const { terms } = spans.at(-1)!; // the range is not empty
  const spot = await loadSpotPrices(deps.prices, terms.area, range.start, range.end);
  if (spot.points.length === 0 && spot.failure) throw spot.failure;
  const priced: PriceTerm[] = [];
  const notes = new Set<string>();
  const charges: MarginalPrice['power_charges'] = [];
  for (const span of spans) {
    await addTerms(priced, span);
    const found = powerCharges(span);
    charges.push(...found.charges);
    for (const note of [...span.terms.notes, ...found.notes, ...assumptions(span)]) notes.add(note);
  }
  return {
    ...subjectOf(terms),
    timezone: terms.timeZone,
    terms: priced,
    spot: spot.points
      .filter(({ start, end }) => end > range.start && start < range.end)
      .map(({ start, end, eur_per_mwh }) => ({
        start: formatTime(start),
        end: formatTime(end),
        price: (eur_per_mwh * terms.perEuro) / 1000,
      })),
    power_charges: charges,
    is_simulated: spot.points.some(({ isSimulated }) => isSimulated),
    notes: [...notes],
  };
}

const assumptions = ({ terms, ...span }: ContractSpan): string[] =>
  assumedTariffs(terms.tariff, daysBetween(terms, span)).notes;

function instantOf(name: 'from' | 'to', given: string | number): number {
  const ms = readInstant(String(given));
  if (ms === undefined)
    throw fieldProblem('unprocessable', `body.${name}`, 'must be RFC 3339, Unix seconds or milliseconds');
  if (ms % quarterMs !== 0) throw fieldProblem('unprocessable', `body.${name}`, 'must be on a quarter of an hour');
  return ms;
}

/** Appends the terms of a contract; adjacent quarters with the same terms are one entry. */
async function addTerms(list: PriceTerm[], span: ContractSpan): Promise<void> {
  const chargesOf = createChargeLookup(span.terms);
  const supportOf = span.period?.support === 'stromstotte' ? supportOn : () => undefined;
  const vat = 1 + (span.terms.vat?.percent ?? 0) / 100;
  const sold = exportOf(span);
  const supplier = supplierOf(span);
  let last: { key: string; term: PriceTerm } | undefined;
  let count = 0;
  for (let at = span.start; at < span.end; at += quarterMs) {
    if (++count % quartersAtOnce === 0) await setImmediate(); // lets other requests run
    let { fixed, times } = supplier;
    for (const { price, spotMultiplier } of chargesOf(at) ?? []) {
      fixed += fromMillionths(price);
      times += spotMultiplier;
    }
    const support = supportOf(dateAt(span.terms.timeZone, at));
    const values = {
      import_fixed: rounded(fixed * vat),
      import_spot: rounded(times * vat),
      ...sold,
      ...(support && { support: { above: support.nokPerKwh, share: rounded(support.share * vat) } }),
    };
    const key = JSON.stringify(values);
    if (last?.key === key) last.term.end = formatTime(at + quarterMs);
    else {
      last = { key, term: { start: formatTime(at), end: formatTime(at + quarterMs), ...values } };
      list.push(last.term);
    }
  }
}

const rounded = (value: number): number => Math.round(value * 1e6) / 1e6;

/** Returns what the supplier charges per kWh before VAT. */
function supplierOf({ period, terms }: ContractSpan): { fixed: number; times: number } {
  const markup = period ? (period.markup_per_kwh ?? 0) : fromMillionths(terms.markup ?? 0);
  const fixed = period?.fixed_price_per_kwh;
  return fixed === undefined ? { fixed: markup, times: 1 } : { fixed: fixed + markup, times: 0 };
}

/** Returns the income of an exported kWh. The limits of a tax reduction are taken as not reached. */
function exportOf({ period }: ContractSpan): Pick<PriceTerm, 'export_fixed' | 'export_spot'> {
  const { export: sold, export_grid_benefit_per_kwh: benefit = 0, tax_reduction: reduction } = period ?? {};
  const paid = sold?.price_per_kwh ?? sold?.adjustment_per_kwh ?? 0;
  return {
    export_fixed: rounded(paid + benefit + (reduction?.per_kwh ?? 0)),
    export_spot: sold?.price_per_kwh === undefined ? 1 : 0,
  };
}
