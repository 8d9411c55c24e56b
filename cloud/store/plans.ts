import type { DerTypeId, DeviceTypeId } from '#contract/der.ts';
import type { Db } from './engine.ts';
import { sql } from './kysely.ts';
import type { PlanRow } from './plan-rows.ts';
import { first, prepared } from './prepared.ts';
import { table } from './table.ts';

const sites = table('plan_sites');

export const findPlanSite = sites.find('site_id');
export const savePlanSite = sites.save(['site_id'], 'goals', 'is_on', 'due_at', 'because', 'failures');

export const findLastPlan = first(
  prepared(
    (_: Db, site: string) => sql<PlanRow>`select * from plans where site_id = ${site} order by made_at desc limit 1`,
  ),
);

export const listPlanDays = table('plan_days').list(['site_id', 'day >=', 'day <='], 'day');

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
