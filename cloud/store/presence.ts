import type { DeviceState } from '#contract/cloud/devices.ts';
import type { Db } from './engine.ts';
import { sql } from './kysely.ts';

const batchSize = 100;

/**
 * Runs a query for ids in batches of one length, padded with repeats: each length of a list is a statement of its own to
 * prepare. Returns the rows of all batches.
 */
async function inBatches<Row>(
  ids: readonly string[],
  query: (batch: string[]) => { execute(): Promise<Row[]> },
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let start = 0; start < ids.length; start += batchSize) {
    const batch = ids.slice(start, start + batchSize);
    while (batch.length < batchSize) batch.push(...batch.slice(0, batchSize - batch.length));
    rows.push(...(await query(batch).execute()));
  }
  return rows;
}

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);
const serialsOf = (rows: readonly { serial: string }[]): string[] => rows.map(({ serial }) => serial);

/** Marks pending devices active, and returns the ids of those that were pending. */
export const activateDevices = async (db: Db, deviceIds: readonly string[], at: number): Promise<string[]> =>
  idsOf(
    await inBatches(deviceIds, (batch) =>
      db
        .updateTable('devices')
        .set({ state: 'active', online: 1, last_seen: at })
        .where('id', 'in', batch)
        .where('state', '=', 'pending')
        .returning('id'),
    ),
  );

/** Returns the devices that have never sent a reading. */
export const listPendingDevices = async (db: Db, deviceIds: readonly string[]): Promise<string[]> =>
  idsOf(
    await inBatches(deviceIds, (batch) =>
      db.selectFrom('devices').where('id', 'in', batch).where('state', '=', 'pending').select('id'),
    ),
  );

/** Records that devices sent readings. A pending device becomes active. */
export async function saveDevicesSeen(db: Db, deviceIds: readonly string[], at: number): Promise<void> {
  await inBatches(deviceIds, (batch) =>
    db
      .updateTable('devices')
      .set({
        last_seen: at,
        online: 1,
        state: sql<DeviceState>`case when state = 'pending' then 'active' else state end`,
      })
      .where('id', 'in', batch)
      .where('state', '!=', 'orphaned'),
  );
}

/** Records that gateways connected or disconnected. Returns the claimed gateways whose state changed. */
export async function saveGatewayPresence(
  db: Db,
  serials: readonly string[],
  isOnline: boolean,
  at: number,
): Promise<string[]> {
  const online = isOnline ? 1 : 0;
  const turned = await inBatches(serials, (batch) =>
    db
      .selectFrom('gateways')
      .where('serial', 'in', batch)
      .where('org_id', 'is not', null)
      .where('online', '!=', online)
      .select('serial'),
  );
  await inBatches(serials, (batch) =>
    db
      .updateTable('gateways')
      .set({ online, last_seen: at })
      .where('serial', 'in', batch)
      .where('org_id', 'is not', null),
  );
  if (!isOnline) {
    await inBatches(serials, (batch) =>
      db.updateTable('devices').set({ online: 0 }).where('gateway_serial', 'in', batch),
    );
  }
  return serialsOf(turned);
}

/** Returns the gateways whose last-seen time does not lie between two times. */
export const listGatewaysNotSeen = async (
  db: Db,
  serials: readonly string[],
  since: number,
  until: number,
): Promise<string[]> =>
  serialsOf(
    await inBatches(serials, (batch) =>
      db
        .selectFrom('gateways')
        .where('serial', 'in', batch)
        .where((row) =>
          row.or([row('last_seen', 'is', null), row('last_seen', '<', since), row('last_seen', '>', until)]),
        )
        .select('serial'),
    ),
  );

/**
 * Marks gateways and devices that sent nothing since the given times offline, and the devices of offline gateways.
 * Returns the serials of the gateways.
 */
export async function markSilentOffline(db: Db, since: { gateway: number; device: number }): Promise<string[]> {
  const silent = await db
    .updateTable('gateways')
    .set({ online: 0 })
    .where('online', '=', 1)
    .where('last_seen', '<', since.gateway)
    .returning('serial')
    .execute();
  const away = db.selectFrom('gateways').where('online', '=', 0).select('serial');
  await db
    .updateTable('devices')
    .set({ online: 0 })
    .where('online', '=', 1)
    .where((row) => row.or([row('last_seen', '<', since.device), row('gateway_serial', 'in', away)]))
    .execute();
  return serialsOf(silent);
}

export async function listGatewaySites(db: Db, serial: string): Promise<string[]> {
  const rows = await db
    .selectFrom('devices')
    .where('gateway_serial', '=', serial)
    .where('state', '!=', 'orphaned')
    .select('site_id')
    .distinct()
    .execute();
  return rows.map(({ site_id }) => site_id);
}
