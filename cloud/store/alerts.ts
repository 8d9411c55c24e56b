import type { AlertRule } from '#contract/cloud/alerts.ts';
import type { DerTypeId, DeviceTypeId } from '#contract/der.ts';
import type { Db } from './engine.ts';
import { sql } from './kysely.ts';
import { first, limitArgument, prepared } from './prepared.ts';
import type { AlertChannelRow, AlertDeliveryRow, AlertRow, Schema, SiteRow } from './schema.ts';
import { table } from './table.ts';

const sites = table('alert_sites');

export const findAlertSite = sites.find('site_id');
export const saveAlertRules = sites.save(['site_id'], 'rules');
const addAlertSite = sites.insertNew();

/** Begins to check the rules of a site. */
export const watchSite = (db: Db, siteId: string): Promise<boolean> =>
  addAlertSite(db, { site_id: siteId, rules: '{}' });

export type WatchedSite = Pick<
  SiteRow,
  'id' | 'org_id' | 'name' | 'timezone' | 'latitude' | 'longitude' | 'price_area' | 'tariff_id' | 'fuse_a'
> & { rules: string };

export const listWatchedSites = prepared(
  (
    _: Db,
    after: string,
    limit: number,
  ) => sql<WatchedSite>`select sites.id, org_id, name, timezone, latitude, longitude,
    price_area, tariff_id, fuse_a, rules from alert_sites join sites on sites.id = alert_sites.site_id
    where alert_sites.site_id > ${after} order by alert_sites.site_id limit ${limitArgument(limit)}`,
);

/** Sources of the readings that rules look at. */
export type WatchedDer = { site_id: string; no: number; der_type: DerTypeId; device_type: DeviceTypeId; name: string };

/** Lists the meters and batteries of the watched sites between two ids. */
export const listWatchedDers = prepared(
  (_: Db, from: string, to: string) => sql<WatchedDer>`select devices.site_id, ders.no, ders.type as der_type,
    devices.type as device_type, devices.name from alert_sites join devices on devices.site_id = alert_sites.site_id
    join ders on ders.device_id = devices.id where alert_sites.site_id >= ${from} and alert_sites.site_id <= ${to}
      and ders.type in ('meter', 'battery') and devices.state != 'orphaned' order by ders.id`,
);

/** A device that is offline, or whose gateway is. */
export type SilentDevice = {
  site_id: string;
  id: string;
  name: string;
  state: string;
  online: number;
  last_seen: number | null;
  serial: string;
  gateway_online: number;
  gateway_seen: number | null;
};

export const listSilentDevices = prepared(
  () => sql<SilentDevice>`select devices.site_id, devices.id, devices.name, devices.state, devices.online,
    devices.last_seen, gateways.serial, gateways.online as gateway_online, gateways.last_seen as gateway_seen
    from alert_sites join devices on devices.site_id = alert_sites.site_id
    join gateways on gateways.serial = devices.gateway_serial and gateways.org_id = devices.org_id
    where devices.state != 'orphaned' and (devices.online = 0 or gateways.online = 0) order by devices.id`,
  0,
);

/** A gateway of a watched site with its software, as it reports. */
export type VersionedGateway = { site_id: string; serial: string; version: string };

/** Lists the gateways of watched sites that have another version than this. */
export const listOtherVersions = prepared(
  (_: Db, version: string) => sql<VersionedGateway>`select distinct devices.site_id, gateways.serial, gateways.version
    from gateways join devices on devices.gateway_serial = gateways.serial and devices.org_id = gateways.org_id
    join alert_sites on alert_sites.site_id = devices.site_id
    where gateways.version != ${version} and devices.state != 'orphaned' order by gateways.serial`,
);

const alerts = table('alerts');

export const insertAlert = alerts.insert();
export const getAlert = alerts.get('id');
export const listAlerts = alerts.pages(['site_id'], 'id', 'desc');
export const listOpenAlerts = (db: Db): Promise<AlertRow[]> =>
  db.selectFrom('alerts').where('ended_at', 'is', null).selectAll().execute();
const endOpen = table('alerts', 'ended_at is null').update(['id'], 'ended_at');
export const endAlert = async (db: Db, id: string, at: number): Promise<boolean> => (await endOpen(db, id, at)) === 1;

export const findLastAlert = first(
  prepared(
    (_: Db, site: string, rule: AlertRule) => sql<AlertRow>`select * from alerts
      where site_id = ${site} and rule = ${rule} order by at desc limit 1`,
  ),
);

/** Deletes at most `limit` alerts from before an instant with their deliveries, and returns their number. */
export async function deleteOldAlerts(db: Db, before: number, limit: number): Promise<number> {
  const old = db.selectFrom('alerts').where('at', '<', before).select('id').limit(limit);
  const { numDeletedRows } = await db.deleteFrom('alerts').where('id', 'in', old).executeTakeFirst();
  return Number(numDeletedRows);
}

const channels = table('alert_channels');

export const insertChannel = channels.insert();
export const findChannel = channels.find('id');
export const listChannelsOf = channels.list(['identity_id'], 'id');
export const listHooks = channels.list(['site_id'], 'id');
export const deleteChannel = channels.delete('id');
export const deletePushChannels = channels.delete('kind', 'target');
export const saveCode = channels.update(['id'], 'code_hash', 'code_expires_at', 'code_tries');
export const verifyChannel = channels.update(['id'], 'verified_at', 'code_hash');
export const countCodeTry = channels.update(['id'], 'code_tries');

const follows = table('alert_follows');

export const findFollow = follows.find('site_id', 'identity_id');
export const saveFollow = follows.save(['site_id', 'identity_id'], 'quiet_from', 'quiet_to', 'except_urgent');
export const deleteFollow = follows.delete('site_id', 'identity_id');

export type Receiver = Pick<AlertChannelRow, 'id' | 'kind'>;

/** Lists the channels that receive the alerts of a site: its own, and those of people who follow it. */
export const listReceivers = prepared(
  (_: Db, site: string, same: string) => sql<Receiver>`select id, kind from alert_channels where site_id = ${site}
    union all select alert_channels.id, kind from alert_follows
    join alert_channels on alert_channels.identity_id = alert_follows.identity_id and verified_at is not null
    where alert_follows.site_id = ${same}`,
);

const deliveries = table('alert_deliveries');

export const insertDelivery = deliveries.insert();
export const listDeliveries = deliveries.list(['alert_id'], 'id');
export const finishDelivery = deliveries.update(['id'], 'status', 'reason', 'claimed_until');
export const retryDelivery = deliveries.update(['id'], 'due_at', 'reason', 'claimed_until');
export const postponeDelivery = deliveries.update(['id'], 'due_at', 'give_up_at', 'claimed_until', 'tries');

/**
 * Lists deliveries that are due: the first of each person, then the second, and so on. The organizations of one person have at most
 * `ofOwner` under way, in all processes.
 */
export const listDueDeliveries = prepared(
  (_: Db, kind: AlertChannelRow['kind'], now: number, ofOwner: number, same: number, limit: number) => sql<{
    id: string;
  }>`select id from (
      select alert_deliveries.id, due_at, claimed_until, row_number() over (
        partition by coalesce(organizations.created_by, organizations.id) order by claimed_until desc, due_at
      ) as place
      from alert_deliveries join alerts on alerts.id = alert_id join sites on sites.id = alerts.site_id
      join organizations on organizations.id = sites.org_id
      where status = 'waiting' and channel_kind = ${kind} and due_at <= ${now}
    ) as due where place <= ${ofOwner} and claimed_until <= ${same} order by place, due_at limit ${limitArgument(limit)}`,
);

/** Takes deliveries that are still due, so that no other process sends them meanwhile. */
export const claimDeliveries = (
  db: Db,
  { ids, now, until }: { ids: readonly string[]; now: number; until: number },
): Promise<AlertDeliveryRow[]> =>
  db
    .updateTable('alert_deliveries')
    .set(({ eb }) => ({ claimed_until: until, tries: eb('tries', '+', 1) }))
    .where('id', 'in', ids)
    .where('status', '=', 'waiting')
    .where('due_at', '<=', now)
    .where('claimed_until', '<=', now)
    .returningAll()
    .execute();

/** Counts the deliveries of some alerts by their status. */
export async function countDeliveries(
  db: Db,
  alertIds: readonly string[],
): Promise<{ alert_id: string; status: Schema['alert_deliveries']['status']; count: number }[]> {
  if (alertIds.length === 0) return [];
  return db
    .selectFrom('alert_deliveries')
    .where('alert_id', 'in', alertIds)
    .groupBy(['alert_id', 'status'])
    .select(['alert_id', 'status', sql<number>`cast(count(*) as integer)`.as('count')])
    .execute();
}
