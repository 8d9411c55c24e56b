import * as contract from '#contract/cloud/gateways.ts';
import { formatTime } from '#contract/time.ts';
import { Answer, type Streaming } from '#lib/http/mount.ts';
import type { Caller } from '../access/caller.ts';
import type { CloudMount } from '../access/door.ts';
import { listAcross, pageOf } from '../access/paging.ts';
import { keyFromBody } from '../identity/register.ts';
import { audit } from '../organizations/audit.ts';
import * as store from '../store/gateways.ts';
import type { Trust } from './binding.ts';
import { claim, type Leaving, orphan } from './claim.ts';

const gatewayOf = (row: store.ClaimedGatewayRow): contract.Gateway => ({
  gateway_serial: row.serial,
  org_id: row.org_id,
  public_key: row.public_key,
  claimed_at: formatTime(row.claimed_at),
  online: row.online === 1,
  last_seen: row.last_seen === null ? null : formatTime(row.last_seen),
  device_count: row.device_count,
});

export type GatewayDeps = {
  trust: Trust;
  leaving: Leaving;
  /** shows the log of a gateway for as long as the caller may see it */
  followLog(serial: string, caller: Caller): Streaming;
  /** messages of a gateway that were not kept, by reason */
  droppedOf(serial: string): Record<string, number>;
};

export function gatewayRoutes(mount: CloudMount, { trust, leaving, followLog, droppedOf }: GatewayDeps): void {
  mount(contract.claimGateway, async (context) => {
    const { org_id, gateway_serial, public_key, message, signature } = context.body;
    const key = keyFromBody(public_key);
    const request = { orgId: org_id, serial: gateway_serial, key, message, signature };
    const { gateway, outcome } = await claim(request, { trust, leaving }, context);
    return new Answer(outcome === 'claimed' ? 201 : 200, {
      gateway_serial: gateway.serial,
      org_id: gateway.org_id,
      public_key: gateway.public_key,
      claimed_at: formatTime(gateway.claimed_at),
      transferred: outcome === 'transferred',
    });
  });

  mount(contract.listGateways, async (context) => {
    const { query, db } = context;
    const { rows, keyOf } = await listAcross(context, query, {
      all: (slice) => store.listGateways(db, slice),
      of: (orgId, slice) => store.listGateways(db, slice, orgId),
      keyOf: (gateway) => gateway.serial,
    });
    return pageOf('/gateways', query, rows, keyOf, gatewayOf);
  });

  mount(contract.getGateway, async ({ params, db }) => ({
    ...gatewayOf(await store.getClaimedGateway(db, params.serial)),
    dropped: droppedOf(params.serial),
  }));

  mount(contract.streamGatewayLogs, ({ params, caller }) => followLog(params.serial, caller));

  mount(contract.releaseGateway, async (context) => {
    const { params, db, now } = context;
    const { org_id, device_count, ...gateway } = await store.getClaimedGateway(db, params.serial);
    const ownership_at_s = Math.floor(now / 1000);
    await orphan(gateway.serial, org_id, context, leaving);
    await store.saveGateway(db, { ...gateway, org_id: null, claimed_at: null, online: 0, ownership_at_s });
    await context.announce({ what: 'gateway', serial: gateway.serial });
    await audit(context, org_id, 'gateway.released', gateway.serial, { device_count });
  });
}
