import type { DerTypeId, DeviceTypeId } from './der.ts';

/** The power flows of a site; load is what the house itself uses. */
export const siteKinds = ['meter', 'pv', 'battery', 'charger', 'load'] as const;
export type SiteKind = (typeof siteKinds)[number];
export type MeasuredKind = Exclude<SiteKind, 'load'>;

export function siteKindOf(der: DerTypeId, device: DeviceTypeId): MeasuredKind | undefined {
  if (der === 'solar') return 'pv';
  if (der === 'battery') return 'battery';
  if (der === 'ev_charger_port') return 'charger';
  return der === 'meter' && !isSubMeter(der, device) ? 'meter' : undefined;
}

/** Tells whether a meter is a sub-meter, whose energy the grid meter already includes. */
export const isSubMeter = (der: DerTypeId, device: DeviceTypeId): boolean => der === 'meter' && device === 'meter';

/** Keeps one grid meter per site, preferring that of the grid company over an inverter's own. */
export function withOneGridMeter<P extends { kind: MeasuredKind; deviceType: DeviceTypeId }>(parts: readonly P[]): P[] {
  const meters = parts.filter(({ kind }) => kind === 'meter');
  const grid = meters.find(({ deviceType }) => deviceType === 'energy_meter') ?? meters[0];
  return parts.filter((part) => part.kind !== 'meter' || part === grid);
}

/** Calculates load = meter - pv - battery - charger; undefined if any is missing, because its power would be counted as load. */
export function loadOf(powers: readonly { kind: MeasuredKind; watts: number | undefined }[]): number | undefined {
  let load = 0;
  for (const { kind, watts } of powers) {
    if (watts === undefined) return undefined;
    load += kind === 'meter' ? watts : -watts;
  }
  return load;
}
