import type { DerTypeId, DeviceTypeId } from '#contract/der.ts';
import { planSentences } from '#contract/plan-sentences.ts';
import type { Db } from './engine.ts';
import { sql } from './kysely.ts';
import type { PlanGatewayRow, PlanRow, PlanSiteRow } from './plan-rows.ts';
import { first, prepared } from './prepared.ts';
import { table } from './table.ts';

const sites = table('plan_sites');

export const findPlanSite = sites.find('site_id');
export const savePlanSite = sites.save(['site_id'], 'goals', 'is_on', 'due_at', 'because', 'failures');

const plans = table('plans');

export const findLastPlan = first(
  prepared(
    (_: Db, site: string) => sql<PlanRow>`select * from plans where site_id = ${site} order by made_at desc limit 1`,
  ),
);

const days = table('plan_days');

export const listPlanDays = days.list(['site_id', 'day >=', 'day <='], 'day');

const gateways = table('plan_gateways');

export const listPlanGateways = gateways.list(['site_id'], 'serial');

/** A DER of a site, as plans see it. */
export type PlanDer = {
  id: string;
  no: number;
  type: DerTypeId;
  name: string;
  device: string;
  device_type: DeviceTypeId;
  sn: string;
  serial: string;
};

export const listPlanDers = prepared(
  (_: Db, site: string) => sql<PlanDer>`select ders.id, ders.no, ders.type, ders.name, devices.name as device,
    devices.type as device_type, devices.hardware_id as sn, devices.gateway_serial as serial
    from devices join ders on ders.device_id = devices.id
    where devices.site_id = ${site} and devices.state != 'orphaned' order by ders.id`,
);

export const deletePlanGateway = gateways.delete('serial');
export const findPlanGateway = gateways.find('serial');
export const savePlanGateway = gateways.save(['serial'], 'site_id', 'plan_id', 'plan');
export const saveProgress = gateways.update(['serial'], 'progress');

/** Lists gateways that should no longer carry out a plan, because its site was deleted. */
export const listLeftGateways = prepared(
  () => sql<PlanGatewayRow>`select * from plan_gateways where site_id is null and plan_id is not null limit 1000`,
  0,
);

/** Returns whether a site is due; asked often, and cheaper than a transaction. */
export const hasDueSite = async (db: Db, now: number): Promise<boolean> => (await dueSite(db, now, now)) !== undefined;

const dueSite = first(
  prepared(
    (_: Db, now: number, same: number) => sql<PlanSiteRow>`select * from plan_sites
      where is_on = 1 and due_at <= ${now} and claimed_until <= ${same} order by due_at limit 1`,
  ),
);

const claim = sites.update(['site_id'], 'claimed_until');

/** Takes the site that is due for the longest time, so that no other process plans it. Call it in a transaction. */
export async function claimDueSite(db: Db, now: number, until: number): Promise<PlanSiteRow | undefined> {
  const found = await dueSite(db, now, now);
  if (found) await claim(db, found.site_id, until);
  return found;
}

const finish = sites.update(['site_id'], 'claimed_until', 'failures', 'status', 'message', 'seen');
const postpone = sites.update(['site_id', 'due_at'], 'due_at', 'because', 'is_on');

type Outcome = Pick<PlanSiteRow, 'failures' | 'status' | 'message' | 'seen' | 'is_on'> &
  Partial<Pick<PlanSiteRow, 'because'>> & { next: number };

const renewed = 'The plan before was due to be renewed.';

/** Saves the outcome of a claim. A change of goals meanwhile keeps the site due. */
export async function finishSite(db: Db, { site_id, due_at }: PlanSiteRow, outcome: Outcome): Promise<void> {
  const { failures, status, message, seen, next, is_on, because = renewed } = outcome;
  await finish(db, site_id, 0, failures, status, message, seen);
  await postpone(db, site_id, due_at, next, because, is_on);
}

const makeDue = sites.update(['site_id', 'due_at >'], 'due_at', 'because');

/** Makes a site due at an instant, unless it is due earlier. */
export const setDue = async (db: Db, siteId: string, at: number, because: string): Promise<void> =>
  void (await makeDue(db, siteId, at, at, because));

/** Makes a site due at once, because something was changed that its plan depends on. */
export const replan = (db: Db, siteId: string, now: number): Promise<void> =>
  setDue(db, siteId, now, planSentences.site_changed);

/** Lists planned sites with cars, by id. */
export const listCarSites = prepared(
  (_: Db, after: string) => sql<Pick<PlanSiteRow, 'site_id' | 'seen'>>`select site_id, seen from plan_sites
    where is_on = 1 and seen is not null and site_id > ${after} order by site_id limit 1000`,
);

/** Lists the price areas of planned sites. */
export const listPlannedAreas = prepared(
  () => sql<{ area: string; sites: number }>`select price_area as area, cast(count(*) as integer) as sites
    from plan_sites join sites on sites.id = plan_sites.site_id
    where is_on = 1 and price_area is not null group by price_area order by price_area`,
  0,
);

export const listSitesInArea = prepared(
  (_: Db, area: string, after: string) => sql<{ site_id: string }>`select site_id from plan_sites
    join sites on sites.id = plan_sites.site_id where is_on = 1 and price_area = ${area} and site_id > ${after}
    order by site_id limit 1000`,
);

/** Lists planned sites with a position and no price area. */
export const listSitesWithoutArea = prepared(
  (_: Db, after: string) => sql<{ site_id: string; latitude: number; longitude: number }>`
    select site_id, latitude, longitude from plan_sites join sites on sites.id = plan_sites.site_id
    where is_on = 1 and price_area is null and latitude is not null and longitude is not null and site_id > ${after}
    order by site_id limit 1000`,
);

export const insertPlan = plans.insert();

/** Returns the first plan of a local day. */
export const findFirstPlanOf = first(
  prepared(
    (_: Db, site: string, day: string) => sql<PlanRow>`select * from plans
      where site_id = ${site} and day = ${day} order by made_at limit 1`,
  ),
);

/** Deletes at most `limit` expired plans, and returns their number. */
export async function deleteOldPlans(db: Db, now: number, limit: number): Promise<number> {
  const old = db.selectFrom('plans').where('kept_until', '<', now).select('id').limit(limit);
  const { numDeletedRows } = await db.deleteFrom('plans').where('id', 'in', old).executeTakeFirst();
  return Number(numDeletedRows);
}

export const findPlanDay = days.find('site_id', 'day');
export const savePlanDay = days.save(
  ['site_id', 'day'],
  'plans',
  'promised',
  'realised',
  'self_consumption',
  'load_error_w',
  'solar_error_w',
  'price_error',
  'power_promised',
  'power_realised',
  'power_self_consumption',
);
export const deleteOldPlanDays = days.delete('day <');
