import type { Der, Device, DeviceListing } from '#contract/cloud/devices.ts';
import { formatTime } from '#contract/time.ts';
import { CachedAnswer } from '#lib/http/mount.ts';
import { type DerWithSite, getDer, listDersOf, listSiteDers } from '../store/devices.ts';
import type { Db } from '../store/engine.ts';
import type { DerRow, DeviceRow } from '../store/schema.ts';

type ShownDer = Pick<DerRow, 'id' | 'name' | 'type'>;

const listingOf = (row: DeviceRow, ders: readonly ShownDer[]): DeviceListing => ({
  id: row.id,
  name: row.name,
  type: row.type,
  state: row.state,
  hardware_id: row.hardware_id,
  gateway_serial: row.gateway_serial,
  online: row.online === 1,
  last_seen: row.last_seen === null ? null : formatTime(row.last_seen),
  ders: ders.map(({ id, name, type }) => ({ id, name, type })),
});

/** Returns devices in the form of a site's list. */
export async function listingsOf(db: Db, rows: readonly DeviceRow[]): Promise<DeviceListing[]> {
  const ders = Map.groupBy(await listSiteDers(db, rows), ({ device_id }) => device_id);
  return rows.map((row) => listingOf(row, ders.get(row.id) ?? []));
}

export async function deviceOf(db: Db, row: DeviceRow): Promise<Device> {
  return {
    ...listingOf(row, await listDersOf(db, row.id)),
    device_id: row.id,
    device_type: row.type,
    site_id: row.site_id,
    manufacturer: row.manufacturer,
    model: row.model,
    created_at: formatTime(row.created_at),
  };
}

export type LatestOf = (no: number) => Promise<Record<string, unknown> | null>;

export async function derOf(db: Db, derId: string, latestOf: LatestOf): Promise<Der> {
  const der = await getDer(db, derId);
  return shownDer(der, await latestOf(der.no));
}

const shownDer = (
  { id, name, type, device_id, site_id, created_at }: DerWithSite,
  latest: Record<string, unknown> | null,
): Der => ({ id, name, type, device_id, site_id, created_at: formatTime(created_at), latest });

const lastAnswers = new WeakMap<DerWithSite, CachedAnswer<Der>>();

/** Returns the previous answer until there is a new reading. */
export async function derAnswer(db: Db, derId: string, latestOf: LatestOf): Promise<CachedAnswer<Der>> {
  const der = await getDer(db, derId);
  const latest = await latestOf(der.no);
  const last = lastAnswers.get(der);
  if (last && isSame(last.body.latest, latest)) return last;
  const answer = new CachedAnswer(200, shownDer(der, latest));
  lastAnswers.set(der, answer);
  return answer;
}

function isSame(one: Record<string, unknown> | null, other: Record<string, unknown> | null): boolean {
  if (one === null || other === null) return one === other;
  const [names, otherNames] = [Object.keys(one), Object.keys(other)];
  return (
    names.length === otherNames.length &&
    names.every((name, i) => name === otherNames[i] && Object.is(one[name], other[name]))
  );
}
