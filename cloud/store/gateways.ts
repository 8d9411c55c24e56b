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
