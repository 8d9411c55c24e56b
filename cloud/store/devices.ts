import { randomInt } from 'node:crypto';
import type { Db } from './engine.ts';
import { existing, prepared } from './prepared.ts';
import { cached } from './query-cache.ts';
import type { DerRow, DeviceRow, Schema } from './schema.ts';
import { table } from './table.ts';

const devices = table('devices');
const ders = table('ders');

/** Queues the telemetry of a DER for erasure, in the transaction that deletes it. */
const queueErasure = table('erasures').insertNew();

export const listErasures = (db: Db, after: number, limit: number): Promise<Schema['erasures'][]> =>
  db.selectFrom('erasures').where('der_no', '>', after).selectAll().orderBy('der_no').limit(limit).execute();

export async function finishErasures(db: Db, numbers: readonly number[]): Promise<void> {
  if (numbers.length > 0) await db.deleteFrom('erasures').where('der_no', 'in', numbers).execute();
}

/** Returns the number that stands for a DER in stored telemetry. It is random, so no new DER gets the readings of another. */
export const newDerNumber = (): number => randomInt(1, 2 ** 47);

export const getDevice = devices.get('id');
export const findDeviceByTopic = devices.find('org_id', 'gateway_serial', 'topic_id');
export const listDevices = devices.pages(['site_id'], 'id');
export const listGatewayDevices = devices.list(['gateway_serial', 'org_id'], 'id');
export const insertDevice = devices.insert();

export async function updateDevice(db: Db, { id, ...device }: DeviceRow): Promise<void> {
  await db.updateTable('devices').set(device).where('id', '=', id).execute();
}

/** Deletes a device with its DERs and their commands; their telemetry is queued to be erased. */
export async function deleteDevice(db: Db, id: string, now: number): Promise<void> {
  for (const { no } of await listDersOf(db, id)) await queueErasure(db, { der_no: no, deleted_at: now });
  await devices.delete('id')(db, id);
}

const setStateOfAll = devices.update(['gateway_serial', 'org_id'], 'state', 'online');

export async function orphanDevices(db: Db, gatewaySerial: string, orgId: string): Promise<void> {
  await setStateOfAll(db, gatewaySerial, orgId, 'orphaned', 0);
}

export const listDersOf = ders.list(['device_id'], 'id');

const ofSite = prepared((db, site: string, first: string, last: string) =>
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
  return first && last ? ofSite(db, first.site_id, first.id, last.id) : [];
}

/** Lists the DERs of each device in the order they were created. */
export async function listDers(db: Db, deviceIds: readonly string[]): Promise<Map<string, DerRow[]>> {
  if (deviceIds.length === 0) return new Map();
  const rows = await db.selectFrom('ders').where('device_id', 'in', deviceIds).selectAll().orderBy('id').execute();
  const byDevice = Map.groupBy(rows, ({ device_id }) => device_id);
  return new Map(deviceIds.map((id) => [id, byDevice.get(id) ?? []]));
}

const getDerWithSite = existing(
  prepared((db, id: string) =>
    db
      .selectFrom('ders')
      .innerJoin('devices', 'devices.id', 'ders.device_id')
      .where('ders.id', '=', id)
      .selectAll('ders')
      .select('devices.site_id'),
  ),
);

export type DerWithSite = DerRow & { site_id: string };

export const getDer = (db: Db, id: string): DerWithSite | Promise<DerWithSite> =>
  cached(db, `DER ${id}`, () => getDerWithSite(db, id));

const insertDerRow = ders.insert();

export async function insertDer(db: Db, der: Omit<DerRow, 'no'>): Promise<void> {
  await insertDerRow(db, { ...der, no: newDerNumber() });
}

export const renameDer = ders.update(['id'], 'name');

/** Deletes a DER with its commands; its telemetry is queued to be erased. */
export async function deleteDer(db: Db, { id, no }: DerRow, now: number): Promise<void> {
  await queueErasure(db, { der_no: no, deleted_at: now });
  await ders.delete('id')(db, id);
}
