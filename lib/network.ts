import { isIP, isIPv4 } from 'node:net';

/** An address, or a network as CIDR spells it. */
export type Network = { address: string; bits: number; family: 'ipv4' | 'ipv6' };

export function parseNetwork(text: string): Network | undefined {
  const [address = '', prefix, ...rest] = text.split('/');
  const family = isIPv4(address) ? 'ipv4' : 'ipv6';
  const most = family === 'ipv4' ? 32 : 128;
  const bits = prefix ?? String(most);
  if (isIP(address) === 0 || address.includes('%') || rest.length > 0 || !/^\d{1,3}$/.test(bits) || Number(bits) > most)
    return undefined;
  return { address, bits: Number(bits), family };
}
