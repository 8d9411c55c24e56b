import { randomInt } from 'node:crypto';
import type { Db, PageRange } from './engine.ts';
import { limitArgument, prepared, takeFirstOrThrow } from './prepared.ts';
import { cached } from './query-cache.ts';
import type { DerRow, DeviceRow, ErasureRow } from './schema.ts';

/** Queues the telemetry of these DERs for erasure, in the transaction that deletes them. */
async function queueErasure(db: Db, numbers: readonly number[], now: number): Promise<void> {
  if (numbers.length === 0) return;
  await db
    .insertInto('erasures')
    .values(numbers.map((der_no) => ({ der_no, deleted_at: now })))
    .onConflict((conflict) => conflict.column('der_no').doNothing())
    .execute();
}

/** Lists DERs whose telemetry is to be erased, in pages by number. */
export const listErasures = (db: Db, after: number, limit: number): Promise<ErasureRow[]> =>
  db.selectFrom('erasures').where('der_no', '>', after).selectAll().orderBy('der_no').limit(limit).execute();

export async function finishErasures(db: Db, numbers: readonly number[]): Promise<void> {
  if (numbers.length > 0) await db.deleteFrom('erasures').where('der_no', 'in', numbers).execute();
}

/** Returns the number that stands for a DER in stored telemetry. It is random, so no new DER gets the readings of another. */
export const newDerNumber = (): number => randomInt(1, 2 ** 47);

const byId = prepared((db, { id }: { id: string }) => db.selectFrom('devices').where('id', '=', id).selectAll());

export const getDevice = (db: Db, id: string): Promise<DeviceRow> => takeFirstOrThrow(byId(db, { id }));

export const findDeviceByTopic = (
  db: Db,
  orgId: string,
  gatewaySerial: string,
  topicId: string,
): Promise<DeviceRow | undefined> =>
  db
    .selectFrom('devices')
    .where('gateway_serial', '=', gatewaySerial)
    .where('org_id', '=', orgId)
    .where('topic_id', '=', topicId)
    .selectAll()
    .executeTakeFirst();

const bySite = prepared((db, { site, after, limit }: { site: string; after: string; limit: number }) =>
  db
    .selectFrom('devices')
    .where('site_id', '=', site)
    .where('id', '>', after)
    .selectAll()
    .orderBy('id')
    .limit(limitArgument(limit)),
);

export const listDevices = (db: Db, siteId: string, { after, limit }: PageRange): Promise<DeviceRow[]> =>
  bySite(db, { site: siteId, after: after ?? '', limit });

export async function insertDevice(db: Db, device: DeviceRow): Promise<void> {
  await db.insertInto('devices').values(device).execute();
}

export async function updateDevice(db: Db, { id, ...device }: DeviceRow): Promise<void> {
  await db.updateTable('devices').set(device).where('id', '=', id).execute();
}

/** Deletes a device with its DERs and their commands; their telemetry is queued to be erased. */
export async function deleteDevice(db: Db, id: string, now: number): Promise<void> {
  const numbers = (await listDersOf(db, id)).map(({ no }) => no);
  await queueErasure(db, numbers, now);
  await db.deleteFrom('devices').where('id', '=', id).execute();
}

/** Lists the devices of one organization on a gateway. */
export const listGatewayDevices = (db: Db, gatewaySerial: string, orgId: string): Promise<DeviceRow[]> =>
  db
    .selectFrom('devices')
    .where('gateway_serial', '=', gatewaySerial)
    .where('org_id', '=', orgId)
    .selectAll()
    .execute();

export async function orphanDevices(db: Db, gatewaySerial: string, orgId: string): Promise<void> {
  await db
    .updateTable('devices')
    .set({ state: 'orphaned', online: 0 })
    .where('gateway_serial', '=', gatewaySerial)
    .where('org_id', '=', orgId)
    .execute();
}

const ofDevice = prepared((db, { device }: { device: string }) =>
  db.selectFrom('ders').where('device_id', '=', device).selectAll().orderBy('id'),
);

/** Lists the DERs of a device in the order they were created. */
export const listDersOf = (db: Db, deviceId: string): Promise<DerRow[]> => ofDevice(db, { device: deviceId });

const ofSite = prepared((db, { site, first, last }: { site: string; first: string; last: string }) =>
  db
    .selectFrom('devices')
    .innerJoin('ders', 'ders.device_id', 'devices.id')
    .where('devices.site_id', '=', site)
    .where('devices.id', '>=', first)
    .where('devices.id', '<=', last)
    .select(['ders.id', 'ders.device_id', 'ders.name', 'ders.type'])
    .orderBy('ders.id'),
);

/** Lists the DERs of a page of devices of one site, in the order they were created. */
export async function listSiteDers(
  db: Db,
  devices: readonly DeviceRow[],
): Promise<Omit<DerRow, 'no' | 'created_at'>[]> {
  const [first, last] = [devices.at(0), devices.at(-1)];
  return first && last ? ofSite(db, { site: first.site_id, first: first.id, last: last.id }) : [];
}

/** Lists the DERs of each device in the order they were created. */
export async function listDers(db: Db, deviceIds: readonly string[]): Promise<Map<string, DerRow[]>> {
  if (deviceIds.length === 0) return new Map();
  const rows = await db.selectFrom('ders').where('device_id', 'in', deviceIds).selectAll().orderBy('id').execute();
  const byDevice = Map.groupBy(rows, ({ device_id }) => device_id);
  return new Map(deviceIds.map((id) => [id, byDevice.get(id) ?? []]));
}

const withSite = prepared((db, { id }: { id: string }) =>
  db
    .selectFrom('ders')
    .innerJoin('devices', 'devices.id', 'ders.device_id')
    .where('ders.id', '=', id)
    .selectAll('ders')
    .select('devices.site_id'),
);

export type DerWithSite = DerRow & { site_id: string };

export const getDer = (db: Db, id: string): DerWithSite | Promise<DerWithSite> =>
  cached(db, `DER ${id}`, () => takeFirstOrThrow(withSite(db, { id })));

export async function insertDer(db: Db, der: Omit<DerRow, 'no'>): Promise<void> {
  await db
    .insertInto('ders')
    .values({ ...der, no: newDerNumber() })
    .execute();
}

export async function renameDer(db: Db, id: string, name: string): Promise<void> {
  await db.updateTable('ders').set({ name }).where('id', '=', id).execute();
}

/** Deletes a DER with its commands; its telemetry is queued to be erased. */
export async function deleteDer(db: Db, { id, no }: DerRow, now: number): Promise<void> {
  await queueErasure(db, [no], now);
  await db.deleteFrom('ders').where('id', '=', id).execute();
}
