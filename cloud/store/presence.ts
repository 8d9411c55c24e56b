import type { Db } from './engine.ts';

/** Those of the devices that were never heard before. */
export async function listPending(db: Db, deviceIds: readonly string[]): Promise<string[]> {
  if (deviceIds.length === 0) return [];
  const rows = await db
    .selectFrom('devices')
    .where('id', 'in', deviceIds)
    .where('state', '=', 'pending')
    .select('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Devices that were heard: the first time makes them active. */
export async function noteHeard(db: Db, deviceIds: readonly string[], at: number): Promise<void> {
  if (deviceIds.length === 0) return;
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
    .where('id', 'in', deviceIds)
    .where('state', '!=', 'orphaned')
    .execute();
}

/** True when this changed what is known of a claimed gateway. */
export async function notePresence(db: Db, serial: string, isOnline: boolean, at: number): Promise<boolean> {
  const online = isOnline ? 1 : 0;
  const before = await db
    .selectFrom('gateways')
    .where('serial', '=', serial)
    .select(['online', 'org_id'])
    .executeTakeFirst();
  if (!before?.org_id) return false;
  await db.updateTable('gateways').set({ online, last_seen: at }).where('serial', '=', serial).execute();
  if (!isOnline) await db.updateTable('devices').set({ online: 0 }).where('gateway_serial', '=', serial).execute();
  return before.online !== online;
}

/** Gateways and devices that said nothing since are offline. Returns the serials of the gateways. */
export async function noteSilence(db: Db, since: number): Promise<string[]> {
  const silent = await db
    .updateTable('gateways')
    .set({ online: 0 })
    .where('online', '=', 1)
    .where('last_seen', '<', since)
    .returning('serial')
    .execute();
  await db.updateTable('devices').set({ online: 0 }).where('online', '=', 1).where('last_seen', '<', since).execute();
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
