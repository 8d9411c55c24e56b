import type { DerTypeId, DeviceTypeId } from './der.ts';

/** What flows at a site, and what is left of it for the house itself. */
export const siteKinds = ['meter', 'pv', 'battery', 'charger', 'load'] as const;
export type SiteKind = (typeof siteKinds)[number];
export type MeasuredKind = Exclude<SiteKind, 'load'>;

export function siteKindOf(der: DerTypeId, device: DeviceTypeId): MeasuredKind | undefined {
  if (der === 'solar') return 'pv';
  if (der === 'battery') return 'battery';
  if (der === 'ev_charger_port') return 'charger';
  return der === 'meter' && !isSubMeter(der, device) ? 'meter' : undefined;
}

/** A sub-meter measures a part of what the meter at the grid connection measures: totals leave it out. */
export const isSubMeter = (der: DerTypeId, device: DeviceTypeId): boolean => der === 'meter' && device === 'meter';

/** An inverter often has a meter beside the grid company's: one of them is the grid, and the grid company's is better. */
export function withOneGridMeter<P extends { kind: MeasuredKind; deviceType: DeviceTypeId }>(parts: readonly P[]): P[] {
  const meters = parts.filter(({ kind }) => kind === 'meter');
  const grid = meters.find(({ deviceType }) => deviceType === 'energy_meter') ?? meters[0];
  return parts.filter((part) => part.kind !== 'meter' || part === grid);
}

/** load = meter - pv - battery - charger. Only where all of them were measured: a missing battery would pass for a load. */
export function loadOf(powers: readonly { kind: MeasuredKind; watts: number | undefined }[]): number | undefined {
  let load = 0;
  for (const { kind, watts } of powers) {
    if (watts === undefined) return undefined;
    load += kind === 'meter' ? watts : -watts;
  }
  return load;
}
