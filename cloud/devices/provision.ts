import type { provisionDevice } from '#contract/cloud/devices.ts';
import * as types from '#contract/der.ts';
import { fieldProblem, Problem } from '#contract/problem.ts';
import type { RequestOf } from '#contract/route.ts';
import { topicId } from '#contract/topics.ts';
import { newId } from '#lib/id.ts';
import { type Context, heldIn } from '../access/door.ts';
import { audit } from '../organizations/audit.ts';
import { updatingCellCounts } from '../store/cells.ts';
import { findDeviceByTopic, insertDer, insertDevice, listDersOf, updateDevice } from '../store/devices.ts';
import { replan } from '../store/plans.ts';
import type { DerRow, DeviceRow } from '../store/schema.ts';

type Provision = RequestOf<typeof provisionDevice>['body'];

/** Creates a device and its DERs, or updates them. */
export async function provision(wanted: Provision, context: Context): Promise<{ device: DeviceRow; isNew: boolean }> {
  const { db, now } = context;
  const { orgId } = heldIn(context, 'site');
  if (heldIn(context, 'gateway').orgId !== orgId) {
    throw new Problem('conflict', 'The gateway and the site belong to different organizations.');
  }
  const ders = wantedDers(wanted);
  const known = await findDeviceByTopic(db, orgId, wanted.gateway_serial, topicId(wanted.hardware_id));
  if (known && known.hardware_id !== wanted.hardware_id) {
    throw new Problem('conflict', `The hardware id reads the same in topics as ${known.hardware_id} on this gateway.`);
  }
  const knownDers = known ? await listDersOf(db, known.id) : [];
  const type = deviceTypeFrom(wanted.device_type);
  for (const [index, der] of ders.entries()) checkAllowed(type, der.type, `body.ders.${index}.type`);
  for (const der of knownDers) {
    if (known?.type !== type) checkAllowed(type, der.type, 'body.device_type');
  }
  if (!known) {
    await context.checkQuota('devices', orgId);
    await context.checkQuota('gateway_devices', wanted.gateway_serial);
  }
  const device = known ? updated(known, wanted, type) : created(wanted, type, orgId, now);

  const siteIds = [...new Set([device.site_id, known?.site_id ?? device.site_id])];
  await updatingCellCounts(db, siteIds, async () => {
    await (known ? updateDevice(db, device) : insertDevice(db, device));
    await addDers(context, device.id, missingDers(knownDers, ders));
  });
  for (const siteId of siteIds) await replan(db, siteId, now);
  await context.announce({ what: 'devices', serial: device.gateway_serial });
  await audit(context, orgId, 'device.provisioned', device.id, {
    gateway_serial: device.gateway_serial,
    hardware_id: device.hardware_id,
    created: !known,
  });
  return { device, isNew: !known };
}

function wantedDers({ ders }: Provision): WantedDer[] {
  const names = new Set<string>();
  return (ders ?? []).map(({ name, type }, index) => {
    if (names.has(name)) throw fieldProblem('unprocessable', `body.ders.${index}.name`, 'is repeated in the list');
    names.add(name);
    return { name, type: derTypeFrom(type, `body.ders.${index}.type`) };
  });
}

function deviceTypeFrom(spelling: string): types.DeviceTypeId {
  const type = types.deviceTypeOf(spelling);
  if (!type)
    throw fieldProblem('unprocessable', 'body.device_type', `must be one of ${types.deviceTypeIds.join(', ')}`);
  return type;
}

const created = (wanted: Provision, type: types.DeviceTypeId, orgId: string, now: number): DeviceRow => ({
  id: newId('dev', now),
  org_id: orgId,
  site_id: wanted.site_id,
  gateway_serial: wanted.gateway_serial,
  hardware_id: wanted.hardware_id,
  topic_id: topicId(wanted.hardware_id),
  type,
  name: wanted.name ?? (wanted.model?.trim() || wanted.hardware_id),
  manufacturer: wanted.manufacturer ?? null,
  model: wanted.model ?? null,
  state: 'pending',
  online: 0,
  last_seen: null,
  created_at: now,
});

const updated = (known: DeviceRow, wanted: Provision, type: types.DeviceTypeId): DeviceRow => ({
  ...known,
  site_id: wanted.site_id,
  type,
  name: wanted.name ?? known.name,
  manufacturer: wanted.manufacturer ?? known.manufacturer,
  model: wanted.model ?? known.model,
  state: known.state === 'orphaned' ? 'active' : known.state,
});

type WantedDer = { name: string; type: types.DerTypeId };

/** Parses a DER type. Throws a Problem with the known types if it is unknown. */
export function derTypeFrom(spelling: string, path: string): types.DerTypeId {
  const type = types.derTypeOf(spelling);
  if (!type) throw fieldProblem('unprocessable', path, `must be one of ${types.derTypeIds.join(', ')}`);
  return type;
}

export function checkAllowed(device: types.DeviceTypeId, der: types.DerTypeId, path: string): void {
  const allowed = types.allowedDerTypes(device);
  if (!allowed.includes(der)) {
    throw fieldProblem('unprocessable', path, `a device of type ${device} may have ${allowed.join(', ')}, not ${der}`);
  }
}

/** Returns the DERs that the device does not have yet; a name that it has with another type is a conflict. */
function missingDers(known: readonly DerRow[], wanted: readonly WantedDer[]): WantedDer[] {
  const missing: WantedDer[] = [];
  for (const der of wanted) {
    const same = known.find(({ name }) => name === der.name);
    if (same && same.type !== der.type) {
      throw new Problem('conflict', `The DER ${der.name} of this device is of type ${same.type}, not ${der.type}.`);
    }
    if (same) continue;
    checkName(der.name, [...known, ...missing]);
    missing.push(der);
  }
  return missing;
}

/** Refuses a name that another DER of the device has, or that topics would spell the same. */
export function checkName(name: string, others: readonly Pick<DerRow, 'name'>[]): void {
  const like = others.find((other) => topicId(other.name) === topicId(name));
  if (!like) return;
  const why =
    like.name === name
      ? `already has a DER called ${name}`
      : `has a DER called ${like.name}, which is the same in topics`;
  throw new Problem('conflict', `The device ${why}.`);
}

/** Inserts DERs, within the quota of their device. */
export async function addDers(
  { db, now, checkQuota }: Context,
  deviceId: string,
  ders: readonly (WantedDer & { id?: string })[],
): Promise<void> {
  await checkQuota('ders', deviceId, ders.length);
  for (const { name, type, id = newId('der', now) } of ders) {
    await insertDer(db, { id, device_id: deviceId, name, type, created_at: now });
  }
}
