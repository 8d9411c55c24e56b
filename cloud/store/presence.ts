import type { Db } from './engine.ts';

const together = 100;

/**
 * Lists of one length, the last filled up with its own: a list of another length would be another statement, and those
 * that were prepared are kept.
 */
function* listsOf(ids: readonly string[]): Generator<string[]> {
  for (let start = 0; start < ids.length; start += together) {
    const some = ids.slice(start, start + together);
    yield [...some, ...new Array<string>(together - some.length).fill(some[0]!)];
  }
}

/** Marks pending devices active, and returns those that were pending. */
export async function activateDevices(db: Db, deviceIds: readonly string[], at: number): Promise<string[]> {
  const activated: string[] = [];
  for (const some of listsOf(deviceIds)) {
    const rows = await db
      .updateTable('devices')
      .set({ state: 'active', online: 1, last_seen: at })
      .where('id', 'in', some)
      .where('state', '=', 'pending')
      .returning('id')
      .execute();
    activated.push(...rows.map(({ id }) => id));
  }
  return activated;
}

/** Those of the devices that were never heard before. */
export async function listPending(db: Db, deviceIds: readonly string[]): Promise<string[]> {
  const pending: string[] = [];
  for (const some of listsOf(deviceIds)) {
    const rows = await db
      .selectFrom('devices')
      .where('id', 'in', some)
      .where('state', '=', 'pending')
      .select('id')
      .execute();
    pending.push(...rows.map(({ id }) => id));
  }
  return pending;
}

/** Devices that were heard: the first time makes them active. */
export async function noteHeard(db: Db, deviceIds: readonly string[], at: number): Promise<void> {
  for (const some of listsOf(deviceIds)) {
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
      .where('id', 'in', some)
      .where('state', '!=', 'orphaned')
      .execute();
  }
}

/** Gateways that came, or went. Returns those of them that are claimed and of whom the opposite was known. */
export async function notePresence(
  db: Db,
  serials: readonly string[],
  isOnline: boolean,
  at: number,
): Promise<string[]> {
  const online = isOnline ? 1 : 0;
  const turned: string[] = [];
  for (const some of listsOf(serials)) {
    const other = await db
      .selectFrom('gateways')
      .where('serial', 'in', some)
      .where('org_id', 'is not', null)
      .where('online', '!=', online)
      .select('serial')
      .execute();
    turned.push(...other.map(({ serial }) => serial));
    await db
      .updateTable('gateways')
      .set({ online, last_seen: at })
      .where('serial', 'in', some)
      .where('org_id', 'is not', null)
      .execute();
    if (!isOnline) await db.updateTable('devices').set({ online: 0 }).where('gateway_serial', 'in', some).execute();
  }
  return turned;
}

/** Those of the gateways of whom nothing was noted between the two moments. */
export async function listUnnoted(db: Db, serials: readonly string[], since: number, until: number): Promise<string[]> {
  const unnoted: string[] = [];
  for (const some of listsOf(serials)) {
    const rows = await db
      .selectFrom('gateways')
      .where('serial', 'in', some)
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
 * Gateways and devices that said nothing since are offline, and devices whose gateway is. Returns the serials of the
 * gateways.
 */
export async function noteSilence(db: Db, since: { gateway: number; device: number }): Promise<string[]> {
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
