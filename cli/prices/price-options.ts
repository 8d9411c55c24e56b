import { type Client, createClient } from '#contract/client.ts';
import type { Site } from '#contract/cloud/sites.ts';
import type { getTotalPrice } from '#contract/price/total.ts';
import { Problem } from '#contract/problem.ts';
import type { RequestOf } from '#contract/route.ts';
import { type Option, type OptionValues, type Shell, UsageError } from '../line/command.ts';
import { isProblem } from '../line/errors.ts';
import { numberOption } from '../line/quantity.ts';
import { machineTimeZone } from '../line/time.ts';
import { openSession } from '../sign-in/session.ts';
import { cloudUrl, createFetch, normalizePlatformUrl } from '../sign-in/sign-ins.ts';
import { findSite } from '../sites/find-site.ts';

/** The parts that commands about a place share. The fields of the API have other names than the options. */
export const located = {
  arguments: [{ name: 'area', help: 'price area, for example SE3; same as --area', optional: true }],
  fields: { lat: '--at', lon: '--at', tariff_id: '--tariff' },
} as const;

export const locationOptions = {
  area: { value: 'AREA', help: 'price area, for example SE3. Default: that of your site' },
  at: { value: 'LAT,LON', help: 'position in degrees, instead of a price area', read: readPosition },
  site: { value: 'SITE', help: 'id or name of one of your sites' },
  url: { value: 'URL', help: 'address of a separate price service, instead of the platform' },
} as const satisfies Record<string, Option>;

/** Options of a total price beside the time. */
export const totalOptions = {
  ...locationOptions,
  tariff: { value: 'ID', help: 'id of the grid tariff (see ohmstead tariffs find). Default: that of your site' },
  markup: numberOption('PRICE', 'markup of your supplier for a kWh, before VAT'),
  vat: numberOption('PERCENT', 'VAT rate; needed outside Sweden'),
} as const satisfies Record<string, Option>;

type LocationOptions = OptionValues<typeof locationOptions>;

type TotalOptions = OptionValues<typeof totalOptions>;

type Query = RequestOf<typeof getTotalPrice>['query'];

export type PriceLocation = {
  query: Pick<Query, 'area' | 'lat' | 'lon'>;
  tariffId: string | undefined;
  timeZone: string;
};

/** Finds the location of a price: the given area or position, else that of a site. */
export async function findLocation(
  typed: { arguments: { area: string | undefined }; options: LocationOptions },
  shell: Shell,
): Promise<PriceLocation> {
  const { area: named } = typed.arguments;
  if (named !== undefined && typed.options.area !== undefined && named !== typed.options.area)
    throw new UsageError(`Give one price area, not both ${named} and ${typed.options.area}.`);
  const given = { ...typed.options, area: named ?? typed.options.area };
  const timeZone = machineTimeZone();
  if (given.at !== undefined)
    return { query: { ...given.at, ...(given.area && { area: given.area }) }, tariffId: undefined, timeZone };
  if (given.area !== undefined) return { query: { area: given.area }, tariffId: undefined, timeZone };
  const site = await siteOf(given.site, shell);
  if (!site) throw new UsageError(`Give a price area, for example: --area SE3, or one of your sites with --site.`);
  const query = locationOf(site);
  if (!query) {
    const fix = `ohmstead site set ${site.id} --price-area SE3`;
    throw new Problem('unprocessable', `${site.name} has neither a price area nor a position; set one with: ${fix}`);
  }
  return { query, tariffId: site.tariff_id, timeZone: site.timezone ?? timeZone };
}

export function locationOf({ price_area, latitude: lat, longitude: lon }: Site): PriceLocation['query'] | undefined {
  const position = lat === undefined || lon === undefined ? {} : { lat, lon };
  const query = { ...(price_area && { area: price_area }), ...position };
  return Object.keys(query).length > 0 ? query : undefined;
}

/** Finds the site; undefined if none was given and there is not exactly one. */
async function siteOf(given: string | undefined, shell: Shell): Promise<Site | undefined> {
  try {
    return await findSite(await openSession(shell), given);
  } catch (error) {
    if (given === undefined && isProblem(error, 'unauthenticated', 'conflict', 'not_found')) return undefined;
    throw error;
  }
}

function readPosition(text: string): { lat: number; lon: number } {
  const [, lat, lon] = /^(-?\d+(?:\.\d+)?),\s*(-?\d+(?:\.\d+)?)$/.exec(text) ?? [];
  if (!lat || !lon) throw new UsageError('--at must be latitude,longitude, for example: --at 57.70,11.97.');
  return { lat: Number(lat), lon: Number(lon) };
}

/** Finds the location and the terms of a total price, and opens a client that calculates it. */
export async function openTotals(
  typed: { arguments: { area: string | undefined }; options: TotalOptions },
  shell: Shell,
) {
  const place = await findLocation(typed, shell);
  return { place, terms: termsOf(typed.options, place.tariffId), client: await openPriceClient(typed.options, shell) };
}

/** Opens a client of the price service at --url, else of the platform. */
export async function openPriceClient({ url }: Pick<LocationOptions, 'url'>, shell: Shell): Promise<Client> {
  const baseUrl = url === undefined ? await cloudUrl(shell) : normalizePlatformUrl(url);
  const sentence = `Cannot reach a price service at ${baseUrl}. Start one with ohmstead price and give its address with --url.`;
  return createClient({ baseUrl, fetch: createFetch(sentence) });
}

function termsOf({ tariff, markup, vat }: TotalOptions, siteTariff: string | undefined) {
  const tariff_id = tariff ?? siteTariff;
  return {
    ...(tariff_id !== undefined && { tariff_id }),
    ...(markup !== undefined && { markup }),
    ...(vat !== undefined && { vat }),
  };
}
