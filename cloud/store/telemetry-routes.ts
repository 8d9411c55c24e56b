import type { DerTypeId, DeviceTypeId } from '#contract/der.ts';
import type { Db } from './engine.ts';
import { prepared } from './prepared.ts';

/** Where the telemetry of a DER belongs. */
export type TelemetryRoute = {
  no: number;
  der_id: string;
  der_name: string;
  der_type: DerTypeId;
  device_id: string;
  device_type: DeviceTypeId;
  site_id: string;
  org_id: string;
  gateway_serial: string;
  cell: string | null;
};

const withPlace = (db: Db) =>
  db
    .selectFrom('ders')
    .innerJoin('devices', 'devices.id', 'ders.device_id')
    .innerJoin('gateways', (join) =>
      join.onRef('gateways.serial', '=', 'devices.gateway_serial').onRef('gateways.org_id', '=', 'devices.org_id'),
    )
    .innerJoin('sites', 'sites.id', 'devices.site_id')
    .where('devices.state', '!=', 'orphaned')
    .select([
      'ders.no',
      'ders.id as der_id',
      'ders.name as der_name',
      'ders.type as der_type',
      'devices.id as device_id',
      'devices.type as device_type',
      'devices.site_id',
      'devices.org_id',
      'devices.gateway_serial',
      'sites.cell',
    ]);

const ofDevice = prepared((db, { serial, topic }: { serial: string; topic: string }) =>
  withPlace(db).where('devices.gateway_serial', '=', serial).where('devices.topic_id', '=', topic).orderBy('ders.id'),
);

/** The DERs of a device as its gateway names it, in the organization that has the gateway now, the oldest first. */
export const findTelemetryRoutes = (db: Db, serial: string, topicId: string): Promise<TelemetryRoute[]> =>
  ofDevice(db, { serial, topic: topicId });

const ofSite = prepared((db, { site }: { site: string }) => withPlace(db).where('devices.site_id', '=', site));

export const listSiteTelemetryRoutes = (db: Db, siteId: string): Promise<TelemetryRoute[]> =>
  ofSite(db, { site: siteId });

const ofCell = prepared((db, { cell }: { cell: string }) => withPlace(db).where('sites.cell', '=', cell));

export const listCellTelemetryRoutes = (db: Db, cell: string): Promise<TelemetryRoute[]> => ofCell(db, { cell });

/** Every DER that telemetry may come from, for what must know them all. */
export const listAllTelemetryRoutes = (db: Db): Promise<TelemetryRoute[]> => withPlace(db).execute();
