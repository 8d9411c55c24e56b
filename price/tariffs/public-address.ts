import { lookup } from 'node:dns/promises';
import { isPublicAddress } from '#lib/public-address.ts';

export const resolveHost = async (host: string): Promise<string[]> =>
  (await lookup(host, { all: true })).map(({ address }) => address);

/** Returns an address of the catalogue that may be asked: https on the public internet, or the server of the catalogue. */
export async function allowedAddress(text: string, catalogueUrl: string, resolve = resolveHost): Promise<URL> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url) throw new Error('The address is invalid.');
  const withoutQuery = (): URL => new URL(`${url.origin}${url.pathname}`.replace(/\/+$/, ''));
  if (url.origin === new URL(catalogueUrl).origin) return withoutQuery();
  if (url.protocol !== 'https:' || url.username !== '' || url.port !== '')
    throw new Error('The address is not https on the usual port.');
  const addresses = await resolve(url.hostname.replace(/^\[|\]$/g, ''));
  if (addresses.length === 0 || !addresses.every(isPublicAddress))
    throw new Error('The address is in a private network.');
  return withoutQuery();
}
