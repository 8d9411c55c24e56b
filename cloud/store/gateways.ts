import type { Db } from './engine.ts';
import type { Slice } from './organizations.ts';
import type { ClaimNonceRow, GatewayRow } from './schema.ts';

export const findGateway = (db: Db, serial: string): Promise<GatewayRow | undefined> =>
  db.selectFrom('gateways').where('serial', '=', serial).selectAll().executeTakeFirst();

export type ClaimedGatewayRow = GatewayRow & { org_id: string; claimed_at: number; device_count: number };

const claimed = (db: Db) =>
  db
    .selectFrom('gateways')
    .where('gateways.org_id', 'is not', null)
    .selectAll('gateways')
    .select((row) =>
      row
        .selectFrom('devices')
        .whereRef('devices.gateway_serial', '=', 'gateways.serial')
        .whereRef('devices.org_id', '=', 'gateways.org_id')
        .select((device) => device.fn.countAll<number>().as('count'))
        .as('device_count'),
    )
    .$narrowType<{ org_id: string; claimed_at: number; device_count: number }>();

/** Of a gateway that was authorized, so it is claimed. */
export const getClaimedGateway = (db: Db, serial: string): Promise<ClaimedGatewayRow> =>
  claimed(db).where('gateways.serial', '=', serial).executeTakeFirstOrThrow();

export const listAllGateways = (db: Db, { after, limit }: Slice): Promise<ClaimedGatewayRow[]> =>
  claimed(db)
    .where('gateways.serial', '>', after ?? '')
    .orderBy('gateways.serial')
    .limit(limit)
    .execute();

export const listGatewaysOf = (db: Db, org: string, { after, limit }: Slice): Promise<ClaimedGatewayRow[]> =>
  claimed(db)
    .where('gateways.org_id', '=', org)
    .where('gateways.serial', '>', after ?? '')
    .orderBy('gateways.serial')
    .limit(limit)
    .execute();

/** Inserts the gateway or replaces what is known of it. */
export async function saveGateway(db: Db, gateway: GatewayRow): Promise<void> {
  const { serial, ...rest } = gateway;
  await db
    .insertInto('gateways')
    .values(gateway)
    .onConflict((conflict) => conflict.column('serial').doUpdateSet(rest))
    .execute();
}

export const findNonce = (db: Db, serial: string, nonce: string): Promise<ClaimNonceRow | undefined> =>
  db.selectFrom('claim_nonces').where('serial', '=', serial).where('nonce', '=', nonce).selectAll().executeTakeFirst();

export async function insertNonce(db: Db, nonce: ClaimNonceRow): Promise<void> {
  await db.insertInto('claim_nonces').values(nonce).execute();
}

export type KnownGatewayRow = GatewayRow & { device_count: number };

/** Claimed or not, with the devices of whichever organization. */
export const listKnownGateways = (db: Db): Promise<KnownGatewayRow[]> => known(db).execute();

export const findKnownGateway = (db: Db, serial: string): Promise<KnownGatewayRow | undefined> =>
  known(db).where('serial', '=', serial).executeTakeFirst();

const known = (db: Db) =>
  db
    .selectFrom('gateways')
    .selectAll('gateways')
    .select((row) =>
      row
        .selectFrom('devices')
        .whereRef('devices.gateway_serial', '=', 'gateways.serial')
        .select((device) => device.fn.countAll<number>().as('count'))
        .as('device_count'),
    )
    .$narrowType<{ device_count: number }>()
    .orderBy('gateways.serial');

export async function deleteGateway(db: Db, serial: string): Promise<void> {
  await db.deleteFrom('gateways').where('serial', '=', serial).execute();
}
