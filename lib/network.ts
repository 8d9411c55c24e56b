import { isIP, isIPv4 } from 'node:net';

/** An IP address, or a network in CIDR notation. */
export type Network = { address: string; bits: number; family: 'ipv4' | 'ipv6' };

/** Networks that the internet does not route, and the machine itself. */
export const privateNetworks = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '127.0.0.0/8', 'fc00::/7', '::1/128'];

export function parseNetwork(text: string): Network | undefined {
  const [address = '', prefix, ...rest] = text.split('/');
  const family = isIPv4(address) ? 'ipv4' : 'ipv6';
  const maxBits = family === 'ipv4' ? 32 : 128;
  const bits = prefix ?? String(maxBits);
  if (
    isIP(address) === 0 ||
    address.includes('%') ||
    rest.length > 0 ||
    !/^\d{1,3}$/.test(bits) ||
    Number(bits) > maxBits
  )
    return undefined;
  return { address, bits: Number(bits), family };
}
