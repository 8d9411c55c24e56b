import type { InferResult } from 'kysely';
import type { DeviceState } from '#contract/cloud/devices.ts';
import type { Db } from './engine.ts';
import { sql } from './kysely.ts';
import { prepared } from './prepared.ts';
import type { Schema } from './schema.ts';
import { column, table } from './table.ts';

const namesPerInsert = 500; // SQLite and PostgreSQL limit the parameters of a statement

/** Returns the numbers of the DERs whose field names are stored. */
export const listDersWithFields = (db: Db): Promise<number[]> =>
  column('der_no', db.selectFrom('der_fields').select('der_no').distinct());

export const listFieldNames = (db: Db, der: number): Promise<string[]> =>
  column('name', db.selectFrom('der_fields').select('name').where('der_no', '=', der));

/** Stores more field names. Does nothing for a DER that was deleted meanwhile. */
export async function addFieldNames(db: Db, der: number, names: readonly string[]): Promise<void> {
  const known = await db.selectFrom('ders').select('no').where('no', '=', der).executeTakeFirst();
  if (!known) return;
  for (let first = 0; first < names.length; first += namesPerInsert) {
    const rows = names.slice(first, first + namesPerInsert).map((name) => ({ der_no: der, name }));
    await db
      .insertInto('der_fields')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/** Where the telemetry of a DER belongs: its device, site, organization and gateway. */
export type TelemetryRoute = InferResult<ReturnType<typeof withPlace>>[number];

/** The route of arriving telemetry. Readings from before `since` belong to a former owner of the gateway. */
export type IngestRoute = TelemetryRoute & {
  since: number;
  device_state: DeviceState;
  /** of the organization; set when its first reading is counted */
  usage?: UsageCount;
};

/** Bytes of readings today: written to the database by all processes, and counted by this one since. */
export type UsageCount = { written: number; unwritten: number };

/** A DER that is or was at a site, from `since` until it was last seen if it has left. */
export type HistorySource = Awaited<ReturnType<typeof listHistorySources>>[number];

const withPlace = (db: Db) =>
  db
    .selectFrom('ders')
    .innerJoin('devices', 'devices.id', 'ders.device_id')
    .innerJoin('gateways', (join) =>
      join.onRef('gateways.serial', '=', 'devices.gateway_serial').onRef('gateways.org_id', '=', 'devices.org_id'),
    )
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
    ]);

const claims = sql`from claim_nonces where serial = gateways.serial`;
const ofOthers = sql`${claims} and org_id != gateways.org_id`;
/** The first claim by the owner of a gateway after the last by another; 0 when no other has claimed it. */
const since = sql<number>`case when exists (select 1 ${ofOthers}) then coalesce(
  (select min(used_at) ${claims} and org_id = gateways.org_id and used_at > (select max(used_at) ${ofOthers})),
  gateways.claimed_at) else 0 end`;

/** Lists the DERs of a device by its topic, in the organization that has the gateway now, oldest first. */
export const listIngestRoutes: (db: Db, serial: string, topic: string) => Promise<IngestRoute[]> = prepared(
  (db, serial: string, topic: string) =>
    withPlace(db)
      .where('devices.gateway_serial', '=', serial)
      .where('devices.topic_id', '=', topic)
      .select(['devices.state as device_state', since.as('since')])
      .orderBy('ders.id'),
);

export const listSiteTelemetryRoutes = prepared((db, site: string) =>
  withPlace(db).where('devices.site_id', '=', site),
);

export const listCellTelemetryRoutes = prepared((db, cell: string) =>
  withPlace(db).innerJoin('sites', 'sites.id', 'devices.site_id').where('sites.cell', '=', cell),
);

/** Lists the DERs of a site, including those of orphaned devices, whose history stays. */
export const listHistorySources = prepared((db, site: string) =>
  db
    .selectFrom('ders')
    .innerJoin('devices', 'devices.id', 'ders.device_id')
    .where('devices.site_id', '=', site)
    .select(['ders.no', 'ders.type as der_type', 'devices.type as device_type', 'ders.created_at as since'])
    .select(
      sql<number | null>`case when devices.state = 'orphaned'
        then coalesce(devices.last_seen, devices.created_at) end`.as('until'),
    ),
);

const usage = table('telemetry_usage');

export type UsageRow = Schema['telemetry_usage'];

/** Adds the bytes of each organization and day, and returns the sums over all processes. */
export const addUsage = (db: Db, rows: readonly UsageRow[]): Promise<UsageRow[]> =>
  db
    .insertInto('telemetry_usage')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['org_id', 'day']).doUpdateSet({ bytes: sql<number>`telemetry_usage.bytes + excluded.bytes` }),
    )
    .returningAll()
    .execute();

export const listUsage = usage.list(['day'], 'org_id');
const findUsage = usage.find('org_id', 'day');

export const readUsage = async (db: Db, orgId: string, day: number): Promise<number> =>
  (await findUsage(db, orgId, day))?.bytes ?? 0;

export const deleteUsageBefore = usage.delete('day <');
