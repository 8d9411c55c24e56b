import * as contract from '#contract/cloud/nearby.ts';
import { Problem } from '#contract/problem.ts';
import type { CloudMount, Context } from '../access/door.ts';
import { findObjectAccess } from '../store/access.ts';
import { findGateway } from '../store/gateways.ts';
import { type NearbyGateways, type SeenGateway, signAt } from './nearby-gateways.ts';

type NearbyDeps = {
  /** undefined if the platform does not search */
  nearby: NearbyGateways | undefined;
  trustsProxy: boolean;
};

export function nearbyRoutes(mount: CloudMount, { nearby, trustsProxy }: NearbyDeps): void {
  /** Callers elsewhere must not see, or claim, what is on the network of this machine. */
  const isAway = ({ ip, headers }: Context): boolean => !nearby?.isSentNearby(ip, headers, trustsProxy);

  mount(contract.listNearbyGateways, async (context) => {
    if (!nearby || isAway(context)) return { search: nearby ? ('away' as const) : ('off' as const), gateways: [] };
    const seen = await nearby.find();
    const gateways = await Promise.all(seen.map((gateway) => shown(gateway, context)));
    return { search: 'done' as const, gateways: gateways.flatMap((gateway) => gateway ?? []) };
  });

  mount(contract.signNearbyClaim, async (context) => {
    const { body, caller } = context;
    const seen = nearby && !isAway(context) ? await nearby.find() : [];
    const gateway = seen.find(({ serial }) => serial === body.gateway_serial);
    if (!gateway || (await shown(gateway, context))?.state !== 'free') {
      throw new Problem('conflict', 'The platform sees no free gateway with this serial number on its network.');
    }
    return signAt(gateway, caller.identityId);
  });
}

/** Describes a gateway for the caller; undefined if it belongs to others on this platform. */
async function shown(seen: SeenGateway, { db, caller }: Context): Promise<contract.NearbyGateway | undefined> {
  const isOwned = ((await findGateway(db, seen.serial))?.org_id ?? null) !== null;
  const isOurs = isOwned && (await findObjectAccess(db, 'gateway', seen.serial, caller.identityId))?.role;
  if (isOwned && !isOurs) return undefined;
  const { serial: gateway_serial, name, url, isConnected: connected, clockAheadS: clock_ahead_s, broker } = seen;
  // A gateway that no platform serves may be claimed, even if it belonged to one before.
  const state = isOurs ? 'yours' : seen.isClaimed && connected ? 'elsewhere' : 'free';
  return { gateway_serial, name, url, state, connected, clock_ahead_s, ...(broker && { broker }) };
}
