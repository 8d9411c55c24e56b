import { lookup } from 'node:dns/promises';
import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { orProblem, Problem } from '#contract/problem.ts';
import { parseNetwork, privateNetworks } from '#lib/network.ts';
import { within } from '#lib/within.ts';

export type Targets = ReturnType<typeof createTargets>;

type LookUp = (host: string) => Promise<string[]>;

const systemLookUp: LookUp = async (host) =>
  (await lookup(host, { all: true, order: 'ipv4first' })).map(({ address }) => address);

const lookupMs = 3000;

/** Limits device addresses to private networks and those of the setting (CIDR, comma separated, * for any). */
export function createTargets(setting: string, lookUp: LookUp = systemLookUp) {
  const named = setting.split(',').map((part) => part.trim());
  const isAny = named.includes('*');
  const allowed = new BlockList();
  for (const network of [...privateNetworks, ...named]) {
    if (network !== '' && network !== '*') allow(allowed, network);
  }
  const isAllowed = (address: string): boolean => isAny || allowed.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');

  return {
    /** Returns the address to connect to. Looks a name up once, so that the checked address is the one used. */
    async resolve(host: string): Promise<string> {
      if (isIPv4(host) || (isIPv6(host) && !host.includes('%'))) {
        if (!isAllowed(host)) throw refusal(host);
        return host;
      }
      if (!isName(host)) throw new Problem('invalid_request', `${shown(host)} is neither an address nor a host name.`);
      const addresses = await within(lookupMs, lookUp(host), () => {
        throw new Error(`No answer within ${lookupMs} ms.`);
      }).catch(orProblem('device_unreachable', `The name ${shown(host)} cannot be looked up.`));
      const address = addresses?.find(isAllowed);
      if (!address) throw refusal(host);
      return address;
    },
  };
}

const shown = (host: string): string => host.slice(0, 253);

const refusal = (host: string): Problem =>
  new Problem('invalid_request', `${shown(host)} is not in the local network; GATEWAY_TARGETS can allow it.`);

function allow(list: BlockList, text: string): void {
  const network = parseNetwork(text);
  if (!network) throw new Error(`GATEWAY_TARGETS: ${text} is not a network such as 100.64.0.0/10 or 2001:db8::/32.`);
  list.addSubnet(network.address, network.bits, network.family);
}

const label = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/i;

/** Rejects a numeric last label, which resolvers read as an address: 127.1 and 0x7f000001. */
function isName(host: string): boolean {
  const name = host.replace(/\.$/, '');
  return (
    host.length <= 253 && name.split('.').every((part) => label.test(part)) && !/(^|\.)(\d+|0x[0-9a-f]*)$/i.test(name)
  );
}
