import { type Client, createClient } from '#contract/client.ts';
import type { Site } from '#contract/cloud/sites.ts';
import type { getTotalPrice } from '#contract/price/total.ts';
import { Problem } from '#contract/problem.ts';
import type { RequestOf } from '#contract/route.ts';
import type { Argument, Option, Shell } from '../line/command.ts';
import { machineTimeZone } from '../line/time-range.ts';
import { UsageError } from '../line/usage-error.ts';
import { cloudUrl, fetchFrom, platformUrl } from '../sign-in/platform-address.ts';
import { signedIn } from '../sign-in/session.ts';
import { findSite } from '../sites/find-site.ts';
import { jsonOption } from '../terminal/output.ts';

export const areaArgument = {
  name: 'area',
  says: 'price area, for example SE3; the same as --area',
  optional: true,
} as const satisfies Argument;

/** What the API calls these options. */
export const placeFields = { lat: '--at', lon: '--at', tariff_id: '--tariff' };

export const placeOptions = {
  area: { value: 'AREA', says: 'price area, for example SE3; that of your site when left out' },
  at: { value: 'LAT,LON', says: 'a position in degrees, instead of the area' },
  site: { value: 'SITE', says: 'id or name of one of your sites' },
  url: { value: 'URL', says: 'of a price service by itself, instead of the platform' },
  json: jsonOption,
} as const satisfies Record<string, Option>;

export type PlaceOptions = { [Name in 'area' | 'at' | 'site' | 'url']: string | undefined };

type Query = RequestOf<typeof getTotalPrice>['query'];

export type PricePlace = {
  query: Pick<Query, 'area' | 'lat' | 'lon'>;
  /** that of the site */
  tariffId: string | undefined;
  timeZone: string;
};

/** Whose price is meant: the area or position that is named, else that of a site. */
export async function findPlace(
  typed: { arguments: { area: string | undefined }; options: PlaceOptions },
  shell: Shell,
  commandName: string,
): Promise<PricePlace> {
  const { area: named } = typed.arguments;
  if (named !== undefined && typed.options.area !== undefined && named !== typed.options.area)
    throw new UsageError(`Name one price area, not both ${named} and ${typed.options.area}.`, commandName);
  const given = { ...typed.options, area: named ?? typed.options.area };
  const timeZone = machineTimeZone();
  if (given.at !== undefined) {
    const position = readPosition(given.at, commandName);
    return { query: { ...position, ...(given.area && { area: given.area }) }, tariffId: undefined, timeZone };
  }
  if (given.area !== undefined) return { query: { area: given.area }, tariffId: undefined, timeZone };
  const site = await siteOf(given.site, shell);
  if (!site) {
    throw new UsageError(`Name a price area, as in ${commandName} SE3, or one of your sites with --site.`, commandName);
  }
  const query = placeOf(site);
  if (!query) {
    const fix = `ohmstead site set ${site.id} --price-area SE3`;
    throw new Problem('unprocessable', `${site.name} has neither a price area nor a position; set one with: ${fix}`);
  }
  return { query, tariffId: site.tariff_id, timeZone: site.timezone ?? timeZone };
}

export function placeOf({ price_area, latitude: lat, longitude: lon }: Site): PricePlace['query'] | undefined {
  const position = lat === undefined || lon === undefined ? {} : { lat, lon };
  const query = { ...(price_area && { area: price_area }), ...position };
  return Object.keys(query).length > 0 ? query : undefined;
}

/** Undefined when none was named and it is not clear which is meant. */
async function siteOf(given: string | undefined, shell: Shell): Promise<Site | undefined> {
  try {
    return await findSite(await signedIn(shell), given);
  } catch (error) {
    const isUnclear = error instanceof Problem && ['unauthenticated', 'conflict', 'not_found'].includes(error.code);
    if (given === undefined && isUnclear) return undefined;
    throw error;
  }
}

function readPosition(text: string, commandName: string): { lat: number; lon: number } {
  const [, lat, lon] = /^(-?\d+(?:\.\d+)?),\s*(-?\d+(?:\.\d+)?)$/.exec(text) ?? [];
  if (!lat || !lon) throw new UsageError('--at is latitude and longitude, as in --at 57.70,11.97.', commandName);
  return { lat: Number(lat), lon: Number(lon) };
}

/** Asks the price service that is named, else that of the platform. */
export async function priceClient({ url }: Pick<PlaceOptions, 'url'>, shell: Shell): Promise<Client> {
  return clientOf(url === undefined ? await cloudUrl(shell) : platformUrl(url));
}

export const clientOf = (baseUrl: string): Client =>
  createClient({
    baseUrl,
    fetch: fetchFrom(`No price service answers at ${baseUrl}: start ohmstead price, and name its address with --url.`),
  });
