import type { RawBuilder } from 'kysely';
import type { Db } from './engine.ts';
import { sql } from './kysely.ts';
import { column } from './table.ts';

const batchSize = 100;

/**
 * Makes a function that runs a query for ids in batches of one length, padded with repeats: each length of a list is a
 * statement of its own to prepare. It returns the ids that the query selects.
 */
const batched =
  <Args extends unknown[]>(query: (batch: RawBuilder<unknown>, ...args: Args) => RawBuilder<{ id: string }>) =>
  async (db: Db, ids: readonly string[], ...args: Args): Promise<string[]> => {
    const found: { id: string }[] = [];
    for (let start = 0; start < ids.length; start += batchSize) {
      const batch = ids.slice(start, start + batchSize);
      while (batch.length < batchSize) batch.push(...batch.slice(0, batchSize - batch.length));
      found.push(...(await query(sql.join(batch), ...args).execute(db)).rows);
    }
    return found.map(({ id }) => id);
  };

/** Marks pending devices active, and returns the ids of those that were pending. */
export const activateDevices = batched(
  (batch, at: number) => sql`update devices set state = 'active', online = 1, last_seen = ${at}
    where id in (${batch}) and state = 'pending' returning id`,
);

export const listPendingDevices = batched(
  (batch) => sql`select id from devices where id in (${batch}) and state = 'pending'`,
);

/** Records that devices sent readings. A pending device becomes active. */
export const saveDevicesSeen = batched(
  (batch, at: number) => sql`update devices
    set last_seen = ${at}, online = 1, state = case when state = 'pending' then 'active' else state end
    where id in (${batch}) and state != 'orphaned'`,
);

const listTurned = batched(
  (batch, online: 0 | 1) => sql`select serial as id from gateways
    where serial in (${batch}) and org_id is not null and online != ${online}`,
);
const saveOnline = batched(
  (batch, at: number) => sql`update gateways set online = 1, last_seen = ${at}
    where serial in (${batch}) and org_id is not null`,
);
const deadMs = 30_000; // two states of 15 s
// A gateway without power disconnects when its keep-alive ends, long after its last message, which then stays the last one.
const saveOffline = batched(
  (batch, at: number) => sql`update gateways
    set online = 0, last_seen = case when last_seen < ${at - deadMs} then last_seen else ${at} end
    where serial in (${batch}) and org_id is not null`,
);
const saveDevicesOffline = batched((batch) => sql`update devices set online = 0 where gateway_serial in (${batch})`);

/** Records that gateways connected or disconnected. Returns the claimed gateways whose state changed. */
export async function saveGatewayPresence(
  db: Db,
  serials: readonly string[],
  isOnline: boolean,
  at: number,
): Promise<string[]> {
  const turned = await listTurned(db, serials, isOnline ? 1 : 0);
  await (isOnline ? saveOnline : saveOffline)(db, serials, at);
  if (!isOnline) await saveDevicesOffline(db, serials);
  return turned;
}

/** Returns the gateways whose last-seen time does not lie between two times. */
export const listGatewaysNotSeen = batched(
  (batch, since: number, until: number) => sql`select serial as id from gateways
    where serial in (${batch}) and (last_seen is null or last_seen < ${since} or last_seen > ${until})`,
);

/** Marks silent gateways and devices offline, and devices of offline gateways. Returns the serials of the gateways. */
export async function markSilentOffline(db: Db, since: { gateway: number; device: number }): Promise<string[]> {
  const { rows } = await sql<{ serial: string }>`update gateways set online = 0
    where online = 1 and last_seen < ${since.gateway} returning serial`.execute(db);
  await sql`update devices set online = 0 where online = 1
    and (last_seen < ${since.device} or gateway_serial in (select serial from gateways where online = 0))`.execute(db);
  return rows.map(({ serial }) => serial);
}

export const listGatewaySites = (db: Db, serial: string): Promise<string[]> => {
  const present = db.selectFrom('devices').where('gateway_serial', '=', serial).where('state', '!=', 'orphaned');
  return column('site_id', present.select('site_id').distinct());
};
