import type { makeBill } from '#contract/price/total.ts';
import { fieldProblem, Problem } from '#contract/problem.ts';
import type { RequestOf } from '#contract/route.ts';
import type { Clock } from '#lib/clock.ts';
import { type Area, findArea, nameAsAsked } from '../electricity/areas.ts';
import { isDate, marketDay, type Prices, type Rate, readInstant } from '../electricity/market-day.ts';
import type { Places } from '../tariffs/places/places.ts';
import type { TariffBook } from '../tariffs/tariff-book.ts';
import { findGridTariff, type GridTariff } from './grid-tariff.ts';
import { toMillionths } from './money.ts';
import { currencyOf, type Vat, vatOf } from './taxes.ts';

type PricePlace = { area: Area; municipality?: string | undefined };

export type TotalDeps = {
  prices: Prices;
  book(): TariffBook;
  places: Pick<Places, 'findZone'>;
  clock: Clock;
};

export type TermsQuery = RequestOf<typeof makeBill>['query'];

/** The place of a price, its currency, and the tariffs to choose from. */
export type PriceMarket = PricePlace & {
  /** the area as the request spelled it */
  asked: string;
  book: TariffBook;
  currency: string;
  perEuro: number;
  fx: Rate | undefined;
};

/** Everything but the time that a price depends on. */
export type Terms = PriceMarket & {
  /** of the tariff, else of the request or the market */
  timeZone: string;
  tariff: GridTariff | undefined;
  /** millionths per kWh; undefined without a markup */
  markup: number | undefined;
  vat: Vat | undefined;
  notes: string[];
};

export const resolveTerms = async (asked: TermsQuery, deps: TotalDeps): Promise<Terms> =>
  termsIn(await resolveMarket(asked, deps), { ...asked, fuse: asked.fuse_a });

export async function resolveMarket(asked: TermsQuery, deps: TotalDeps): Promise<PriceMarket> {
  const place = await resolvePlace(asked, deps);
  const { area } = place;
  const currency = currencyOf(area.countryCode);
  const fx = currency === 'EUR' ? undefined : await deps.prices.rate(currency);
  if (currency !== 'EUR' && !fx)
    throw new Problem('unprocessable', `No exchange rate for ${currency} is available, and this price needs one.`);
  return {
    ...place,
    asked: asked.area === undefined ? area.code : nameAsAsked(asked.area, area),
    book: deps.book(),
    currency,
    perEuro: fx?.perEuro ?? 1,
    fx,
  };
}

type TermsOfContract = { [Name in 'tariff_id' | 'timezone']?: string | undefined } & {
  [Name in 'markup' | 'vat' | 'fuse']?: number | undefined;
};

export function termsIn(market: PriceMarket, asked: TermsOfContract): Terms {
  const { area, book, currency } = market;
  const tariff = asked.tariff_id === undefined ? undefined : findGridTariff(book, asked.tariff_id, asked.fuse);
  const foreign = tariff?.given.energyPrice.components.find(({ price }) => price && price.currency !== currency);
  if (foreign) {
    throw new Problem(
      'unprocessable',
      `The tariff is in ${foreign.price?.currency}, the prices of ${area.code} in ${currency}.`,
    );
  }
  const vat =
    asked.vat === undefined ? vatOf(area, tariff?.provider.vat) : { percent: asked.vat, source: 'your request' };
  return {
    ...market,
    timeZone: tariff?.given.timeZone ?? asked.timezone ?? area.timeZone,
    tariff,
    markup: asked.markup === undefined ? undefined : toMillionths(asked.markup),
    vat,
    notes: [
      ...(tariff ? [] : ['No grid tariff was given (tariff_id), so grid fees are not included.']),
      ...(vat ? [] : [`The VAT of ${area.country} is not known and not included; it can be set (vat).`]),
    ],
  };
}

/** Uses the named area; a position given with it only adds the municipality. */
async function resolvePlace({ area, lat, lon }: TermsQuery, deps: TotalDeps): Promise<PricePlace> {
  if ((lat === undefined) !== (lon === undefined)) {
    throw fieldProblem('unprocessable', lat === undefined ? 'query.lat' : 'query.lon', 'is missing; both are needed');
  }
  if (lat === undefined || lon === undefined) {
    if (area === undefined) throw fieldProblem('unprocessable', 'query.area', 'is missing; give it, or lat and lon');
    return { area: getArea(area) };
  }
  const found = await deps.places.findZone(lat, lon);
  const municipality = found?.municipality;
  if (area !== undefined) return { area: getArea(area), municipality };
  const located = found && findArea(found.zone);
  if (!located)
    throw new Problem('not_found', 'No price area is known at this position; only positions in Sweden are.');
  return { area: located, municipality };
}

function getArea(text: string): Area {
  const area = findArea(text);
  if (!area)
    throw new Problem('not_found', `The area ${text} is not supported; GET /price/electricity/areas lists them.`);
  return area;
}

/** Parses an instant of a request; a date is the start of that market day. */
export function resolveInstant(text: string, path: string, area: Area): number {
  const ms = isDate(text) ? marketDay(area, text).start : readInstant(text);
  if (ms !== undefined) return ms;
  throw fieldProblem(
    'unprocessable',
    path,
    'must be RFC 3339, Unix seconds or milliseconds, or YYYY-MM-DD, of the years 1900 to 2999',
  );
}
