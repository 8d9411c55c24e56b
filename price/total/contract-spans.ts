import { type ContractPeriod, contractErrors } from '#contract/price/contract.ts';
import type { makeBill } from '#contract/price/total.ts';
import { fieldProblem, fieldsProblem } from '#contract/problem.ts';
import type { RequestOf } from '#contract/route.ts';
import { isTimeZone, startOfDate } from '#contract/time-zone.ts';
import type { Interval } from '../tariffs/eltariff.ts';
import type { TimeRange } from './charges.ts';
import { resolveMarket, type Terms, type TermsQuery, type TotalDeps, termsIn } from './terms.ts';
import { daysBetween } from './total-price.ts';

export type BillRequest = TermsQuery & RequestOf<typeof makeBill>['body'];

/** A part of the billed range with one contract; without one before the first contract. */
export type ContractSpan = TimeRange & {
  period: ContractPeriod | undefined;
  days: Interval;
  /** the same object for spans with the same grid tariff and VAT */
  terms: Terms;
};

/** Splits a range where the contract changes. */
export async function contractSpans(asked: BillRequest, range: TimeRange, deps: TotalDeps): Promise<ContractSpan[]> {
  const { contracts = [], timezone } = asked;
  checkRequest(asked);
  const market = await resolveMarket(asked, deps);
  const known = new Map<string, Terms>();
  const termsOf = (period: ContractPeriod | undefined): Terms => {
    const [tariff_id, vat] = [period?.tariff_id ?? asked.tariff_id, period?.vat_percent ?? asked.vat];
    const fuse = period?.fuse_a ?? asked.fuse_a;
    const key = JSON.stringify([tariff_id, vat, fuse]);
    const terms = known.get(key) ?? termsIn(market, { tariff_id, vat, fuse, markup: asked.markup, timezone });
    known.set(key, terms);
    return terms;
  };
  const timeZone = timezone ?? termsOf(undefined).timeZone;
  const starts = contracts.map(({ valid_from }) => startOfDate(timeZone, valid_from));
  return [undefined, ...contracts].flatMap((period, n) => {
    const start = Math.max(range.start, starts[n - 1] ?? range.start);
    const end = Math.min(range.end, starts[n] ?? range.end);
    if (start >= end) return [];
    return [{ start, end, period, days: daysBetween({ timeZone }, { start, end }), terms: termsOf(period) }];
  });
}

function checkRequest({ contracts = [], timezone, markup }: BillRequest): void {
  const errors = contractErrors(contracts, 'body.contracts');
  if (errors.length > 0) throw fieldsProblem('unprocessable', errors);
  if (contracts.length > 0 && markup !== undefined)
    throw fieldProblem(
      'unprocessable',
      'body.markup',
      'belongs to each contract (markup_per_kwh) when there are contracts',
    );
  if (timezone !== undefined && !isTimeZone(timezone))
    throw fieldProblem('unprocessable', 'body.timezone', 'is not an IANA time zone, for example Europe/Stockholm');
}
