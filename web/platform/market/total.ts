import type { Client } from '#contract/client.ts';
import type { SiteDetails } from '#contract/cloud/sites.ts';
import { getTotalPrice, type Step, type TotalPrice } from '#contract/price/total.ts';
import { Problem } from '#contract/problem.ts';
import type { Position } from './grid-operators.ts';

type Chosen = {
  area?: string | undefined;
  tariffId?: string | undefined;
  markup?: number | undefined;
  vat?: number | undefined;
};

/** What a price depends on; undefined without an area. The energy tax is that of the position, where it is known. */
export const termsOf = ({ area, tariffId, markup, vat }: Chosen, position: Position | undefined): Terms | undefined =>
  area
    ? {
        area,
        ...position,
        ...(tariffId && { tariff_id: tariffId }),
        ...(markup !== undefined && { markup }),
        ...(vat !== undefined && { vat }),
      }
    : undefined;

export const termsOfSite = (site: SiteDetails): Terms | undefined =>
  termsOf({ area: site.price_area, tariffId: site.tariff_id }, positionOf(site));

export function positionOf({ latitude: lat, longitude: lon }: SiteDetails): Position | undefined {
  return lat === undefined || lon === undefined ? undefined : { lat, lon };
}

/** What a price depends on beside the time. */
export type Terms = { area: string; lat?: number; lon?: number; tariff_id?: string; markup?: number; vat?: number };

/** Which part of time, and how fine; left out, the hours of today and as far as is known. */
type Asked = { from?: string; to?: string; resolution?: Step };

export type Total = {
  price: TotalPrice;
  /** the terms that were used: those asked for, or the same without a tariff that has no price then */
  terms: Terms;
  refusal?: Problem;
};

/** The total prices of a time. A tariff whose prices are not known then is left out, and it says so. */
export async function loadTotal(
  from: Pick<Client, 'call'>,
  asked: Asked,
  terms: Terms,
  signal: AbortSignal,
): Promise<Total> {
  const ask = (used: Terms): Promise<TotalPrice> => from.call(getTotalPrice, { query: { ...used, ...asked }, signal });
  try {
    return { price: await ask(terms), terms };
  } catch (problem) {
    if (terms.tariff_id === undefined || !isRefusal(problem)) throw problem;
    const { tariff_id: _, ...rest } = terms;
    return { price: await ask(rest), terms: rest, refusal: problem };
  }
}

/** The same; undefined where no price of that time is known. */
export const knownTotal = (...asked: Parameters<typeof loadTotal>): Promise<Total | undefined> =>
  loadTotal(...asked).catch((problem: unknown) => {
    if (isRefusal(problem)) return undefined;
    throw problem;
  });

/** The question has no answer as it is; to ask it again does not help. */
export const isRefusal = (problem: unknown): problem is Problem =>
  problem instanceof Problem && ['unprocessable', 'not_found'].includes(problem.code);
