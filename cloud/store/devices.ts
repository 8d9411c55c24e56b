import { newDerNumber } from './der-number.ts';
import type { Db } from './engine.ts';
import { queueErasure } from './erasures.ts';
import { atMost, prepared } from './prepared.ts';
import { remembered } from './remembered.ts';
import type { DerRow, DeviceRow } from './schema.ts';
import type { Slice } from './slice.ts';

const byId = prepared((db, { id }: { id: string }) => db.selectFrom('devices').where('id', '=', id).selectAll());

/** Of a device that was authorized, so it is there. */
export async function getDevice(db: Db, id: string): Promise<DeviceRow> {
  const [row] = await byId(db, { id });
  return row!;
}

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
    .limit(atMost(limit)),
);

export const listDevices = (db: Db, siteId: string, { after, limit }: Slice): Promise<DeviceRow[]> =>
  bySite(db, { site: siteId, after: after ?? '', limit });

export async function insertDevice(db: Db, device: DeviceRow): Promise<void> {
  await db.insertInto('devices').values(device).execute();
}

export async function updateDevice(db: Db, { id, ...device }: DeviceRow): Promise<void> {
  await db.updateTable('devices').set(device).where('id', '=', id).execute();
}

/** Deletes a device with its DERs and their commands; their telemetry is queued to be erased. */
export async function deleteDevice(db: Db, id: string, now: number): Promise<void> {
  const ders = await listDersOf(db, id);
  await queueErasure(
    db,
    ders.map(({ no }) => no),
    now,
  );
  await db.deleteFrom('devices').where('id', '=', id).execute();
}

/** Devices on a gateway, as one organization has them. */
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

/** In the order they were made. */
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

/** Those of some devices of one site that were listed in order, in the order they were made. */
export async function listSiteDers(
  db: Db,
  devices: readonly DeviceRow[],
): Promise<Omit<DerRow, 'no' | 'created_at'>[]> {
  const [first] = devices;
  return first ? ofSite(db, { site: first.site_id, first: first.id, last: devices.at(-1)!.id }) : [];
}

/** In the order they were made, by device. */
export async function listDers(db: Db, deviceIds: readonly string[]): Promise<Map<string, DerRow[]>> {
  const byDevice = new Map<string, DerRow[]>(deviceIds.map((id) => [id, []]));
  if (deviceIds.length === 0) return byDevice;
  const rows = await db.selectFrom('ders').where('device_id', 'in', deviceIds).selectAll().orderBy('id').execute();
  for (const row of rows) byDevice.get(row.device_id)!.push(row);
  return byDevice;
}

const withSite = prepared((db, { id }: { id: string }) =>
  db
    .selectFrom('ders')
    .innerJoin('devices', 'devices.id', 'ders.device_id')
    .where('ders.id', '=', id)
    .selectAll('ders')
    .select('devices.site_id'),
);

export type PlacedDer = DerRow & { site_id: string };

/** Of a DER that was authorized, so it is there. */
export const getDer = (db: Db, id: string): PlacedDer | Promise<PlacedDer> =>
  remembered(db, `DER ${id}`, async () => (await withSite(db, { id }))[0]!);

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
