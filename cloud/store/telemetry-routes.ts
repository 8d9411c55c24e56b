import type { DeviceState } from '#contract/cloud/devices.ts';
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

/** Readings from before `since` belong to a former owner of the gateway. */
export type IngestRoute = TelemetryRoute & {
  since: number;
  device_state: DeviceState;
  /** of the organization, once a reading was counted */
  usage?: UsageCount;
};

/** Bytes of readings today: as last written by all processes, and what this one has counted since. */
export type UsageCount = { written: number; unwritten: number };

/** A DER that is or was at a site: when it came, and when it was last heard if it has left. */
export type HistorySource = Pick<TelemetryRoute, 'no' | 'der_type' | 'device_type'> & {
  since: number;
  until: number | null;
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
  withPlace(db)
    .where('devices.gateway_serial', '=', serial)
    .where('devices.topic_id', '=', topic)
    .select('devices.state as device_state')
    .select((row) => {
      const claims = row.selectFrom('claim_nonces').whereRef('claim_nonces.serial', '=', 'gateways.serial');
      const ofOthers = claims.whereRef('claim_nonces.org_id', '!=', 'gateways.org_id');
      const sinceOthers = claims
        .whereRef('claim_nonces.org_id', '=', 'gateways.org_id')
        .where(
          'claim_nonces.used_at',
          '>',
          ofOthers.select(({ fn }) => fn.max('claim_nonces.used_at').as('last')),
        )
        .select(({ fn }) => fn.min('claim_nonces.used_at').as('first'));
      return row
        .case()
        .when(row.exists(ofOthers.select('claim_nonces.nonce')))
        .then(row.fn.coalesce(sinceOthers, row.ref('gateways.claimed_at').$notNull()))
        .else(0)
        .end()
        .as('since');
    })
    .orderBy('ders.id'),
);

/** The DERs of a device as its gateway names it, in the organization that has the gateway now, the oldest first. */
export const findIngestRoutes = (db: Db, serial: string, topicId: string): Promise<IngestRoute[]> =>
  ofDevice(db, { serial, topic: topicId });

const ofSite = prepared((db, { site }: { site: string }) => withPlace(db).where('devices.site_id', '=', site));

export const listSiteTelemetryRoutes = (db: Db, siteId: string): Promise<TelemetryRoute[]> =>
  ofSite(db, { site: siteId });

const sourcesOfSite = prepared((db, { site }: { site: string }) =>
  db
    .selectFrom('ders')
    .innerJoin('devices', 'devices.id', 'ders.device_id')
    .where('devices.site_id', '=', site)
    .select((row) => [
      'ders.no',
      'ders.type as der_type',
      'devices.type as device_type',
      'ders.created_at as since',
      row
        .case()
        .when('devices.state', '=', 'orphaned')
        .then(row.fn.coalesce('devices.last_seen', 'devices.created_at'))
        .end()
        .as('until'),
    ]),
);

/** Also of devices whose gateway has left: their history stays. */
export const listHistorySources = (db: Db, siteId: string): Promise<HistorySource[]> =>
  sourcesOfSite(db, { site: siteId });

const ofCell = prepared((db, { cell }: { cell: string }) => withPlace(db).where('sites.cell', '=', cell));

export const listCellTelemetryRoutes = (db: Db, cell: string): Promise<TelemetryRoute[]> => ofCell(db, { cell });

const ofGateway = prepared((db, { serial }: { serial: string }) =>
  withPlace(db).where('devices.gateway_serial', '=', serial),
);

export const listGatewayTelemetryRoutes = (db: Db, serial: string): Promise<TelemetryRoute[]> =>
  ofGateway(db, { serial });

/** Every DER that telemetry may come from, for what must know them all. */
export const listAllTelemetryRoutes = (db: Db): Promise<TelemetryRoute[]> => withPlace(db).execute();
