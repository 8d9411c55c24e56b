import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';

const privateNetworks = new BlockList();
for (const network of [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '224.0.0.0/3',
]) {
  const [address = '', bits] = network.split('/');
  privateNetworks.addSubnet(address, Number(bits), 'ipv4');
}
for (const network of ['::/127', 'fc00::/7', 'fe80::/10', 'ff00::/8']) {
  const [address = '', bits] = network.split('/');
  privateNetworks.addSubnet(address, Number(bits), 'ipv6');
}

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
  const isPrivate = addresses.some((address) => privateNetworks.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4'));
  if (addresses.length === 0 || isPrivate) throw new Error('The address is in a private network.');
  return withoutQuery();
}
