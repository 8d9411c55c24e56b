import { networkInterfaces } from 'node:os';
import type { Clock } from '#lib/clock.ts';

const hostForm = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/;
const refreshMs = 1000;

/**
 * Whether a Host header names this machine: by an address of its own, localhost, a name ending in .local, or one of `names`.
 * A page elsewhere whose name was pointed at us (DNS rebinding) sends that name.
 */
export function createOwnHosts(names: readonly string[], clock: Clock): (host: string | undefined) => boolean {
  const known = new Set([
    'localhost',
    '127.0.0.1',
    '[::1]',
    ...names.map((name) => canonical(name.trim().toLowerCase())),
  ]);
  let addresses = new Set<string>();
  let readAt = Number.NEGATIVE_INFINITY;

  function isAddressOfOurs(name: string): boolean {
    // An address that we lost does no harm; one that we got is looked for when it is asked for.
    if (!addresses.has(name) && Math.abs(clock.now() - readAt) >= refreshMs) {
      addresses = ownAddresses();
      readAt = clock.now();
    }
    return addresses.has(name);
  }

  return (host = '') => {
    const asked = hostForm.exec(host.toLowerCase())?.[1];
    if (!asked || !URL.canParse(`http://${host}`)) return false;
    const name = canonical(asked);
    return known.has(name) || name.endsWith('.local') || isAddressOfOurs(name);
  };
}

function ownAddresses(): Set<string> {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return new Set(all.map(({ address }) => canonical(address)));
}

/** One spelling: no dot at the end, IPv6 in brackets and shortened. */
function canonical(name: string): string {
  if (!name.includes(':')) return name.replace(/\.$/, '');
  const literal = `http://[${name.replace(/^\[|\]$/g, '')}]`;
  return URL.canParse(literal) ? new URL(literal).hostname : name;
}
