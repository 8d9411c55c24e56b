import { allowedDerTypes, type DerTypeId, type DeviceTypeId, derTypeIds, derTypeOf } from '#contract/der.ts';
import { fieldProblem, Problem } from '#contract/problem.ts';
import { topicId } from '#contract/topics.ts';
import { newId } from '#lib/id.ts';
import type { Context } from '../access/door.ts';
import { insertDer } from '../store/devices.ts';
import type { DerRow } from '../store/schema.ts';

export type WantedDer = { name: string; type: DerTypeId };

/** Parses a DER type. Throws a Problem with the known types if it is unknown. */
export function derTypeFrom(spelling: string, path: string): DerTypeId {
  const type = derTypeOf(spelling);
  if (!type) throw fieldProblem('unprocessable', path, `must be one of ${derTypeIds.join(', ')}`);
  return type;
}

export function checkAllowed(device: DeviceTypeId, der: DerTypeId, path: string): void {
  const allowed = allowedDerTypes(device);
  if (!allowed.includes(der)) {
    throw fieldProblem('unprocessable', path, `a device of type ${device} may have ${allowed.join(', ')}, not ${der}`);
  }
}

/** Returns the DERs that the device does not have yet; a name that it has with another type is a conflict. */
export function missingDers(known: readonly DerRow[], wanted: readonly WantedDer[]): WantedDer[] {
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
