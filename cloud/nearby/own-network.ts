import type { IncomingHttpHeaders } from 'node:http';
import { BlockList, isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';
import { parseNetwork, privateNetworks } from '#lib/network.ts';

type Interfaces = () => ReturnType<typeof networkInterfaces>;

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv4(address) ? 'ipv4' : 'ipv6');

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const text of networks) {
    const network = parseNetwork(text);
    if (network) list.addSubnet(network.address, network.bits, network.family);
  }
  return list;
}

const isPrivate = listOf(privateNetworks);
const isLoopback = listOf(['127.0.0.0/8', '::1/128']);

const check = (list: BlockList, address: string): boolean => list.check(address, familyOf(address));

/** Returns what tells whether an address is on a private network that this machine is connected to. */
export function createOwnNetwork(interfaces: Interfaces = networkInterfaces) {
  /** Says no to an address of this machine itself that only it can reach. */
  const isNeighbour = (address: string): boolean => {
    if (!check(isPrivate, address) || check(isLoopback, address)) return false;
    const all = Object.values(interfaces()).flatMap((addresses) => addresses ?? []);
    return check(listOf(all.flatMap(({ cidr, internal }) => (cidr && !internal ? [cidr] : []))), address);
  };

  return {
    isNeighbour,
    /** Whether a request was sent from this machine or its network, and not through a proxy of which nothing is known. */
    isSentNearby(ip: string, headers: IncomingHttpHeaders, trustsProxy: boolean): boolean {
      if (!trustsProxy && proxyHeaders.some((name) => headers[name] !== undefined)) return false;
      const address = ip.replace(/^::ffff:(?=[\d.]+$)/i, '');
      return check(isLoopback, address) || isNeighbour(address);
    },
  };
}

const proxyHeaders = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'cf-connecting-ip'];
