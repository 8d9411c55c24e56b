import type { DerTypeId, DeviceTypeId } from '#contract/der.ts';
import type { Db } from './engine.ts';
import { sql } from './kysely.ts';
import { first, limitArgument, prepared } from './prepared.ts';
import type { EnergyDerRow, EnergyPartRow, Schema } from './schema.ts';
import { table } from './table.ts';

const ders = table('energy_ders');
const parts = table('energy_parts');
const days = table('site_energy');

export const listEnergyDers = ders.list(['site_id'], 'slot');

/** Lists where the readings of a DER were entered, the present place first. */
export const listPlacesOfDer = prepared(
  (_: Db, der: number) => sql<EnergyDerRow>`select * from energy_ders where der_no = ${der}
    order by since desc, last_at desc`,
);

/** Returns where the readings of a DER are entered now. */
export const findEnergyDer = first(listPlacesOfDer);

/**
 * Enters a DER in the next slot of a site. Does nothing unless it is registered there, has this number of places, and a slot is
 * free; nor if another process takes the slot at the same time.
 */
export const insertEnergyDer = first(
  prepared(
    (
      _: Db,
      der: number,
      site: string,
      derType: DerTypeId,
      deviceType: DeviceTypeId,
      afterAt: number,
      since: number,
      places: number,
      slots: number,
    ) => sql<EnergyDerRow>`
      insert into energy_ders (site_id, slot, der_no, der_type, device_type, after_at, since, last_at)
      select devices.site_id, next.slot, ders.no, cast(${derType} as text), cast(${deviceType} as text),
        cast(${afterAt} as bigint), cast(${since} as bigint), 0
      from ders join devices on devices.id = ders.device_id,
        (select coalesce(max(slot) + 1, 0) as slot from energy_ders where site_id = ${site}) as next
      where ders.no = ${der} and devices.site_id = ${site} and next.slot < ${slots}
        and (select count(*) from energy_ders where der_no = ${der}) = ${places}
      on conflict do nothing returning *`,
  ),
);

/** Widens the time of a DER at a site. */
export const widenEnergyDer = prepared(
  (_: Db, site: string, slot: number, since: number, lastAt: number) => sql`update energy_ders
    set since = case when ${since} < since then ${since} else since end,
      last_at = case when ${lastAt} > last_at then ${lastAt} else last_at end
    where site_id = ${site} and slot = ${slot}`,
);

/** A DER as the registry has it. */
export type RegisteredDer = { no: number; created_at: number; site_id: string } & Pick<
  EnergyDerRow,
  'der_type' | 'device_type'
>;

const registered = sql<RegisteredDer>`select ders.no, ders.created_at, devices.site_id, ders.type as der_type,
  devices.type as device_type from ders join devices on devices.id = ders.device_id`;

export const findRegisteredDer = first(
  prepared((_: Db, der: number) => sql<RegisteredDer>`${registered} where ders.no = ${der}`),
);

/** Lists registered DERs by their number, with the last reading that is in the ledger, if any. */
export const listRegisteredDers = prepared(
  (_: Db, after: number, limit: number) => sql<RegisteredDer & { last_at: number | null }>`
    select registered.*, (select max(last_at) from energy_ders where der_no = registered.no) as last_at
    from (${registered}) as registered where registered.no > ${after}
    order by registered.no limit ${limitArgument(limit)}`,
);

/** Lists the DERs that are at a site, with the names of their devices. */
export const listNamedDers = prepared(
  (_: Db, site: string) => sql<{ no: number; der_id: string; device_id: string; name: string }>`
    select ders.no, ders.id as der_id, devices.id as device_id, devices.name
    from devices join ders on ders.device_id = devices.id where devices.site_id = ${site}`,
);

export const listEnergyParts = parts.list(['site_id', 'day'], 'slot');
export const saveEnergyPart = parts.save(['site_id', 'day', 'slot'], 'totals', 'body');

/** Lists the days of a DER up to one, the last first. */
export const listDerDaysBefore = prepared(
  (_: Db, site: string, slot: number, day: number, limit: number) => sql<EnergyPartRow>`select * from energy_parts
    where site_id = ${site} and slot = ${slot} and day <= ${day} order by day desc limit ${limitArgument(limit)}`,
);

export const listDerTotals = prepared(
  (_: Db, site: string, from: number, to: number) => sql<Pick<EnergyPartRow, 'day' | 'slot' | 'totals'>>`
    select day, slot, totals from energy_parts where site_id = ${site} and day >= ${from} and day < ${to}`,
);

type SiteDayRow = Schema['site_energy'];

export const listSiteDays = days.list(['site_id', 'day >=', 'day <'], 'day');

export const listSiteTotals = prepared(
  (_: Db, site: string, from: number, to: number) => sql<Pick<SiteDayRow, 'day' | 'totals'>>`select day, totals
    from site_energy where site_id = ${site} and day >= ${from} and day < ${to} order by day`,
);

export const saveSiteDay = days.save(['site_id', 'day'], 'totals', 'body');

/** Marks a quarter of a DER as due, and returns the version of the mark; undefined when the DER was deleted. */
export const markEnergyDue = first(
  prepared(
    (_: Db, der: number, quarter: number) => sql<{ version: number }>`
      insert into energy_due (der_no, quarter, version)
      select no, cast(${quarter} as bigint), 1 from ders where no = ${der}
      on conflict (der_no, quarter) do update set version = energy_due.version + 1 returning version`,
  ),
);

export const listEnergyDue = prepared(
  (_: Db, der: number, quarter: number, limit: number) => sql<Schema['energy_due']>`select * from energy_due
    where der_no > ${der} or (der_no = ${der} and quarter > ${quarter})
    order by der_no, quarter limit ${limitArgument(limit)}`,
);

export const finishEnergyDue = table('energy_due').delete('der_no', 'quarter', 'version <=');
