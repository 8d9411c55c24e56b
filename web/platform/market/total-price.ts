import { type Client, createClient } from '#contract/client.ts';
import type { SiteDetails } from '#contract/cloud/sites.ts';
import type { ContractPeriod } from '#contract/price/contract.ts';
import { getTotalPrice, type Step, type TotalPrice } from '#contract/price/total.ts';
import { Problem } from '#contract/problem.ts';
import type { RequestOf } from '#contract/route.ts';
import { retryPolicy } from '../../parts/retry-policy.ts';

export type Position = { lat: number; lon: number };

/** Prices and tariffs do not require sign-in. */
export const priceApi = createClient({ baseUrl: '', ...retryPolicy });

export type ChosenTerms = {
  area?: string | undefined;
  tariffId?: string | undefined;
  /** supplier's markup per kWh, excluding VAT */
  markup?: number | undefined;
  /** percent */
  vat?: number | undefined;
};

/** Returns the price terms, or undefined without an area. The position determines the energy tax. */
export const termsOf = (
  { area, tariffId, markup, vat }: ChosenTerms,
  position: Position | undefined,
): PriceTerms | undefined =>
  area
    ? {
        area,
        ...position,
        ...(tariffId && { tariff_id: tariffId }),
        ...(markup !== undefined && { markup }),
        ...(vat !== undefined && { vat }),
      }
    : undefined;

/** Returns the price terms of a site, with the terms of its contract if they are given. */
export const termsOfSite = (site: SiteDetails, contract: ChosenTerms = {}): PriceTerms | undefined =>
  termsOf({ area: site.price_area, tariffId: site.tariff_id, ...contract }, positionOf(site));

/** Returns what a contract says on this day about the price of a bought kilowatt-hour at the spot price. */
export function contractTerms(periods: readonly ContractPeriod[], today: string): ChosenTerms {
  const period = periods.findLast(({ valid_from }) => valid_from <= today);
  if (!period) return {};
  const { pricing, markup_per_kwh: markup, vat_percent: vat, tariff_id: tariffId } = period;
  return {
    ...(pricing === 'spot' && markup !== undefined && { markup }),
    ...(vat !== undefined && { vat }),
    ...(tariffId !== undefined && { tariffId }),
  };
}

export function positionOf({ latitude: lat, longitude: lon }: SiteDetails): Position | undefined {
  return lat === undefined || lon === undefined ? undefined : { lat, lon };
}

/** Without a range, the service returns today's hours and all that follow. */
type PriceRange = { from?: string; to?: string; resolution?: Step };

/** Everything a price depends on besides time. */
export type PriceTerms = Omit<RequestOf<typeof getTotalPrice>['query'], keyof PriceRange> & { area: string };

export type LoadedPrice = {
  price: TotalPrice;
  /** the terms that were used; without the tariff if it has no price for the range */
  terms: PriceTerms;
  refusal?: Problem;
};

/** Loads total prices. A tariff without known prices is left out, and `refusal` says why. */
export async function loadTotal(
  from: Pick<Client, 'call'>,
  asked: PriceRange,
  terms: PriceTerms,
  signal: AbortSignal,
): Promise<LoadedPrice> {
  const ask = (used: PriceTerms): Promise<TotalPrice> =>
    from.call(getTotalPrice, { query: { ...used, ...asked }, signal });
  try {
    return { price: await ask(terms), terms };
  } catch (problem) {
    if (terms.tariff_id === undefined || !isRefusal(problem)) throw problem;
    const { tariff_id: _, ...rest } = terms;
    return { price: await ask(rest), terms: rest, refusal: problem };
  }
}

/** Like loadTotal, but returns undefined if no price is known. */
export const loadTotalIfKnown = (...asked: Parameters<typeof loadTotal>): Promise<LoadedPrice | undefined> =>
  loadTotal(...asked).catch((problem: unknown) => {
    if (isRefusal(problem)) return undefined;
    throw problem;
  });

/** Whether repeating the request would fail again. */
export const isRefusal = (problem: unknown): problem is Problem =>
  problem instanceof Problem && ['unprocessable', 'not_found'].includes(problem.code);
