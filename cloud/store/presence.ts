import type { RawBuilder } from 'kysely';
import type { Db } from './engine.ts';
import { sql } from './kysely.ts';
import { column } from './table.ts';

const batchSize = 100;

/**
 * Runs a query for ids in batches of one length, padded with repeats: each length of a list is a statement of its own to
 * prepare. Returns the rows of all batches.
 */
async function inBatches<Row>(
  db: Db,
  ids: readonly string[],
  query: (batch: RawBuilder<unknown>) => RawBuilder<Row>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let start = 0; start < ids.length; start += batchSize) {
    const batch = ids.slice(start, start + batchSize);
    while (batch.length < batchSize) batch.push(...batch.slice(0, batchSize - batch.length));
    rows.push(...(await query(sql.join(batch)).execute(db)).rows);
  }
  return rows;
}

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);
const serialsOf = (rows: readonly { serial: string }[]): string[] => rows.map(({ serial }) => serial);

/** Marks pending devices active, and returns the ids of those that were pending. */
export async function activateDevices(db: Db, deviceIds: readonly string[], at: number): Promise<string[]> {
  const activate = (batch: RawBuilder<unknown>) =>
    sql<{ id: string }>`update devices set state = 'active', online = 1, last_seen = ${at}
      where id in (${batch}) and state = 'pending' returning id`;
  return idsOf(await inBatches(db, deviceIds, activate));
}

export async function listPendingDevices(db: Db, deviceIds: readonly string[]): Promise<string[]> {
  const pending = (batch: RawBuilder<unknown>) =>
    sql<{ id: string }>`select id from devices where id in (${batch}) and state = 'pending'`;
  return idsOf(await inBatches(db, deviceIds, pending));
}

/** Records that devices sent readings. A pending device becomes active. */
export async function saveDevicesSeen(db: Db, deviceIds: readonly string[], at: number): Promise<void> {
  const save = (batch: RawBuilder<unknown>) =>
    sql`update devices
      set last_seen = ${at}, online = 1, state = case when state = 'pending' then 'active' else state end
      where id in (${batch}) and state != 'orphaned'`;
  await inBatches(db, deviceIds, save);
}

/** Records that gateways connected or disconnected. Returns the claimed gateways whose state changed. */
export async function saveGatewayPresence(
  db: Db,
  serials: readonly string[],
  isOnline: boolean,
  at: number,
): Promise<string[]> {
  const online = isOnline ? 1 : 0;
  const turned = (batch: RawBuilder<unknown>) =>
    sql<{ serial: string }>`select serial from gateways
      where serial in (${batch}) and org_id is not null and online != ${online}`;
  const save = (batch: RawBuilder<unknown>) =>
    sql`update gateways set online = ${online}, last_seen = ${at} where serial in (${batch}) and org_id is not null`;
  const saveDevices = (batch: RawBuilder<unknown>) =>
    sql`update devices set online = 0 where gateway_serial in (${batch})`;
  const changed = await inBatches(db, serials, turned);
  await inBatches(db, serials, save);
  if (!isOnline) await inBatches(db, serials, saveDevices);
  return serialsOf(changed);
}

/** Returns the gateways whose last-seen time does not lie between two times. */
export async function listGatewaysNotSeen(
  db: Db,
  serials: readonly string[],
  since: number,
  until: number,
): Promise<string[]> {
  const notSeen = (batch: RawBuilder<unknown>) =>
    sql<{ serial: string }>`select serial from gateways
      where serial in (${batch}) and (last_seen is null or last_seen < ${since} or last_seen > ${until})`;
  return serialsOf(await inBatches(db, serials, notSeen));
}

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

export const listGatewaySites = (db: Db, serial: string): Promise<string[]> => {
  const present = db.selectFrom('devices').where('gateway_serial', '=', serial).where('state', '!=', 'orphaned');
  return column('site_id', present.select('site_id').distinct());
};
