import type { Db, PageRange } from './engine.ts';
import { limitArgument, prepared, takeFirst, takeFirstOrThrow } from './prepared.ts';
import type { ClaimNonceRow, GatewayRow } from './schema.ts';

const bySerial = prepared((db, { serial }: { serial: string }) =>
  db.selectFrom('gateways').where('serial', '=', serial).selectAll(),
);

export const findGateway = (db: Db, serial: string): Promise<GatewayRow | undefined> =>
  takeFirst(bySerial(db, { serial }));

/** Returns the given serials that the platform knows, claimed or not. */
export async function listKnownSerials(db: Db, serials: string[]): Promise<string[]> {
  const rows = await db.selectFrom('gateways').where('serial', 'in', serials).select('serial').execute();
  return rows.map(({ serial }) => serial);
}

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

const claimedOne = prepared((db, { serial }: { serial: string }) => claimed(db).where('gateways.serial', '=', serial));

export const getClaimedGateway = (db: Db, serial: string): Promise<ClaimedGatewayRow> =>
  takeFirstOrThrow(claimedOne(db, { serial }));

const all = prepared((db, { after, limit }: { after: string; limit: number }) =>
  claimed(db).where('gateways.serial', '>', after).orderBy('gateways.serial').limit(limitArgument(limit)),
);

export const listAllGateways = (db: Db, { after, limit }: PageRange): Promise<ClaimedGatewayRow[]> =>
  all(db, { after: after ?? '', limit });

const ofOrganization = prepared((db, { org, after, limit }: { org: string; after: string; limit: number }) =>
  claimed(db)
    .where('gateways.org_id', '=', org)
    .where('gateways.serial', '>', after)
    .orderBy('gateways.serial')
    .limit(limitArgument(limit)),
);

export const listGatewaysOf = (db: Db, org: string, { after, limit }: PageRange): Promise<ClaimedGatewayRow[]> =>
  ofOrganization(db, { org, after: after ?? '', limit });

const save = prepared((db, gateway: GatewayRow) => {
  const known = {
    org_id: gateway.org_id,
    public_key: gateway.public_key,
    listed: gateway.listed,
    claimed_at: gateway.claimed_at,
    ownership_at_s: gateway.ownership_at_s,
    online: gateway.online,
    last_seen: gateway.last_seen,
  };
  return db
    .insertInto('gateways')
    .values({ serial: gateway.serial, token_audience_at: gateway.token_audience_at, ...known })
    .onConflict((conflict) => conflict.column('serial').doUpdateSet(known));
});

/** Inserts the gateway or replaces its row. */
export async function saveGateway(db: Db, gateway: GatewayRow): Promise<void> {
  await save(db, gateway);
}

/** Records that the gateway's tokens name their audience from now on. */
export async function setTokenAudience(db: Db, serial: string, at: number): Promise<void> {
  const isFirst = db.updateTable('gateways').where('serial', '=', serial).where('token_audience_at', 'is', null);
  await isFirst.set({ token_audience_at: at }).execute();
}

const usedNonce = prepared((db, { serial, nonce }: { serial: string; nonce: string }) =>
  db.selectFrom('claim_nonces').where('serial', '=', serial).where('nonce', '=', nonce).selectAll(),
);

export const findNonce = (db: Db, serial: string, nonce: string): Promise<ClaimNonceRow | undefined> =>
  takeFirst(usedNonce(db, { serial, nonce }));

const addNonce = prepared((db, { serial, nonce, identity_id, org_id, message, used_at }: ClaimNonceRow) =>
  db.insertInto('claim_nonces').values({ serial, nonce, identity_id, org_id, message, used_at }),
);

export async function insertNonce(db: Db, nonce: ClaimNonceRow): Promise<void> {
  await addNonce(db, nonce);
}

/** Deletes the nonces of a gateway that were used between two times. */
export async function deleteNonces(
  db: Db,
  serial: string,
  { after, before }: { after: number; before: number },
): Promise<void> {
  await db
    .deleteFrom('claim_nonces')
    .where('serial', '=', serial)
    .where('used_at', '>', after)
    .where('used_at', '<', before)
    .execute();
}

export type KnownGatewayRow = GatewayRow & { device_count: number };

/** Lists claimed and unclaimed gateways, with the number of devices of any organization. */
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
