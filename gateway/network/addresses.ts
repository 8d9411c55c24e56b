import { readFile } from 'node:fs/promises';
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os';
import { isMissingFile, undefinedIf } from '#lib/error-code.ts';

const isUp = (flags: string): boolean => (Number.parseInt(flags, 16) & 0x201) === 1; // up, and not a reject route

/** Returns the interface of the default route; undefined without one. */
export async function defaultInterface(folder = '/proc/net'): Promise<string | undefined> {
  const [v4, v6] = await Promise.all([tableOf(`${folder}/route`), tableOf(`${folder}/ipv6_route`)]);
  const route4 = v4.find(([, to, , flags = '', , , , mask]) => to === '00000000' && mask === to && isUp(flags));
  const route6 = v6.find(([to = 'x', bits, , , , , , , flags = '']) => /^0+$/.test(to) && bits === '00' && isUp(flags));
  return route4?.[0] ?? route6?.[9];
}

// Only Linux has these files; without IPv6 it has only the first.
async function tableOf(path: string): Promise<string[][]> {
  const text = await readFile(path, 'utf8').catch(undefinedIf(isMissingFile));
  return (text ?? '').split('\n').map((line) => line.trim().split(/\s+/));
}

const isOfLocalNetwork = ({ internal, family, address }: NetworkInterfaceInfo): boolean =>
  !internal && (family === 'IPv4' || !address.startsWith('fe80'));

/** Returns the address of this machine in the local network: of the first preferred interface that has one, or of any. */
export function localAddress(...preferred: (string | undefined)[]): string | undefined {
  const all = networkInterfaces();
  for (const name of [...preferred, ...Object.keys(all)]) {
    const addresses = (all[name ?? ''] ?? []).filter(isOfLocalNetwork);
    const best = addresses.find(({ family }) => family === 'IPv4') ?? addresses[0];
    if (best) return best.address;
  }
  return undefined;
}
