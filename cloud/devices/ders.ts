import { allowedDerTypes, type DerTypeId, type DeviceTypeId, derTypeIds, derTypeOf } from '#contract/der.ts';
import { fieldProblem, Problem } from '#contract/problem.ts';
import { newId } from '#lib/id.ts';
import { insertDer } from '../store/devices.ts';
import type { Db } from '../store/engine.ts';
import type { DerRow } from '../store/schema.ts';

export type WantedDer = { name: string; type: DerTypeId };

/** The DER type that a request spells, or the list of those there are. */
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

/** Adds those whose names are new; a name that stands for another type is a conflict. */
export async function addMissing(
  db: Db,
  deviceId: string,
  known: readonly DerRow[],
  wanted: readonly WantedDer[],
  now: number,
): Promise<void> {
  for (const { name, type } of wanted) {
    const same = known.find((der) => der.name === name);
    if (same && same.type !== type) {
      throw new Problem('conflict', `The DER ${name} of this device is of type ${same.type}, not ${type}.`);
    }
    if (!same) await insertDer(db, { id: newId('der', now), device_id: deviceId, name, type, created_at: now });
  }
}
