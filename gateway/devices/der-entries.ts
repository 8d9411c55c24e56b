import { type DerChange, type DerEntry, derSettings } from '#contract/gateway/devices.ts';
import type { DerKind, Values } from '#contract/gateway/reading.ts';
import { Problem } from '#contract/problem.ts';
import type { Found } from './driver.ts';

/** Returns the DERs for display: configured values, otherwise those that the device reports. */
export function shownDers(set: readonly DerEntry[], found: Found | undefined): DerEntry[] {
  return set.map((entry) => ({ ...detected(entry.type, found), ...entry }));
}

function detected(kind: DerKind, found: Found | undefined): Omit<DerEntry, 'type' | 'enabled'> {
  const rated = kind === 'battery' ? (found?.battery_rated_power_W ?? found?.rated_power_W) : found?.rated_power_W;
  const capacity = found?.capacity_Wh;
  const hasPower = kind === 'pv' || kind === 'battery';
  const hasCapacity = kind === 'battery' || kind === 'v2x_charger';
  return {
    ...(hasPower && rated !== undefined && { rated_power: rated }),
    ...(hasCapacity && capacity !== undefined && { capacity }),
  };
}

/** Returns the ratings of a DER as fields of the readings that are sent to the platform. */
export function ratedValues(ders: readonly DerEntry[], kind: DerKind): Values {
  const { rated_power, capacity } = ders.find(({ type }) => type === kind) ?? {};
  return {
    ...(rated_power !== undefined && { rated_power_W: rated_power }),
    ...(capacity !== undefined && { capacity_Wh: capacity }),
  };
}

/** Adds newly seen DERs, disabled until a person enables them. */
export function withNewKinds(set: readonly DerEntry[], kinds: readonly DerKind[]): DerEntry[] {
  const added = kinds.filter((kind) => !set.some(({ type }) => type === kind));
  return [...set, ...added.map((type) => ({ type, enabled: false }))];
}

/** Changes the given fields of the listed DERs; throws a Problem for a DER that the device lacks. */
export function changeDers(set: readonly DerEntry[], changes: readonly DerChange[]): DerEntry[] {
  for (const { type } of changes) {
    if (!set.some((entry) => entry.type === type)) {
      throw new Problem(
        'invalid_request',
        `This device has no ${type}; it has ${set.map((entry) => entry.type).join(', ')}.`,
      );
    }
  }
  return set.map((entry) => {
    const change = changes.findLast(({ type }) => type === entry.type);
    if (!change) return entry;
    const values = derSettings[entry.type].flatMap((name) =>
      change[name] === undefined ? [] : [[name, change[name]]],
    );
    return { ...entry, enabled: change.enabled ?? entry.enabled, ...Object.fromEntries(values) };
  });
}
