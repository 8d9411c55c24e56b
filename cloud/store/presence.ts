import type { Db } from './engine.ts';

const batchSize = 100;

/** Splits ids into lists of one length, padded with repeats: each length of a list is a statement of its own to prepare. */
function* batchesOf(ids: readonly string[]): Generator<string[]> {
  for (let start = 0; start < ids.length; start += batchSize) {
    const batch = ids.slice(start, start + batchSize);
    while (batch.length < batchSize) batch.push(...batch.slice(0, batchSize - batch.length));
    yield batch;
  }
}

/** Marks pending devices active, and returns the ids of those that were pending. */
export async function activateDevices(db: Db, deviceIds: readonly string[], at: number): Promise<string[]> {
  const activated: string[] = [];
  for (const batch of batchesOf(deviceIds)) {
    const rows = await db
      .updateTable('devices')
      .set({ state: 'active', online: 1, last_seen: at })
      .where('id', 'in', batch)
      .where('state', '=', 'pending')
      .returning('id')
      .execute();
    activated.push(...rows.map(({ id }) => id));
  }
  return activated;
}

/** Returns the devices that have never sent a reading. */
export async function listPendingDevices(db: Db, deviceIds: readonly string[]): Promise<string[]> {
  const pending: string[] = [];
  for (const batch of batchesOf(deviceIds)) {
    const rows = await db
      .selectFrom('devices')
      .where('id', 'in', batch)
      .where('state', '=', 'pending')
      .select('id')
      .execute();
    pending.push(...rows.map(({ id }) => id));
  }
  return pending;
}

/** Records that devices sent readings. A pending device becomes active. */
export async function saveDevicesSeen(db: Db, deviceIds: readonly string[], at: number): Promise<void> {
  for (const batch of batchesOf(deviceIds)) {
    await db
      .updateTable('devices')
      .set((row) => ({
        last_seen: at,
        online: 1,
        state: row
          .case()
          .when('state', '=', 'pending')
          .then('active' as const)
          .else(row.ref('state'))
          .end(),
      }))
      .where('id', 'in', batch)
      .where('state', '!=', 'orphaned')
      .execute();
  }
}

/** Records that gateways connected or disconnected. Returns the claimed gateways whose state changed. */
export async function saveGatewayPresence(
  db: Db,
  serials: readonly string[],
  isOnline: boolean,
  at: number,
): Promise<string[]> {
  const online = isOnline ? 1 : 0;
  const turned: string[] = [];
  for (const batch of batchesOf(serials)) {
    const other = await db
      .selectFrom('gateways')
      .where('serial', 'in', batch)
      .where('org_id', 'is not', null)
      .where('online', '!=', online)
      .select('serial')
      .execute();
    turned.push(...other.map(({ serial }) => serial));
    await db
      .updateTable('gateways')
      .set({ online, last_seen: at })
      .where('serial', 'in', batch)
      .where('org_id', 'is not', null)
      .execute();
    if (!isOnline) await db.updateTable('devices').set({ online: 0 }).where('gateway_serial', 'in', batch).execute();
  }
  return turned;
}

/** Returns the gateways whose last-seen time does not lie between two times. */
export async function listGatewaysNotSeen(
  db: Db,
  serials: readonly string[],
  since: number,
  until: number,
): Promise<string[]> {
  const unnoted: string[] = [];
  for (const batch of batchesOf(serials)) {
    const rows = await db
      .selectFrom('gateways')
      .where('serial', 'in', batch)
      .where((row) =>
        row.or([row('last_seen', 'is', null), row('last_seen', '<', since), row('last_seen', '>', until)]),
      )
      .select('serial')
      .execute();
    unnoted.push(...rows.map(({ serial }) => serial));
  }
  return unnoted;
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
  return silent.map(({ serial }) => serial);
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
