import type { SiteKind } from '#contract/balance.ts';
import { hourMs } from '#contract/time.ts';
import type { Buckets, TimeRange } from './buckets.ts';

/** Energy flows of a site, one per direction. */
export const flows = [
  'generated',
  'imported',
  'discharged',
  'carGave',
  'house',
  'carTook',
  'charged',
  'exported',
] as const;
export type EnergyFlow = (typeof flows)[number];

/** Energy in Wh. Only `house`, which is a difference, can be negative; unmeasured flows are left out. */
export type Energies = Partial<Record<EnergyFlow, number>>;

const flowSources: Record<EnergyFlow, { kind: SiteKind; share(watts: number): number }> = {
  generated: { kind: 'pv', share: (watts) => Math.max(0, -watts) },
  imported: { kind: 'meter', share: (watts) => Math.max(0, watts) },
  exported: { kind: 'meter', share: (watts) => Math.max(0, -watts) },
  charged: { kind: 'battery', share: (watts) => Math.max(0, watts) },
  discharged: { kind: 'battery', share: (watts) => Math.max(0, -watts) },
  carTook: { kind: 'charger', share: (watts) => Math.max(0, watts) },
  carGave: { kind: 'charger', share: (watts) => Math.max(0, -watts) },
  house: { kind: 'load', share: (watts) => watts },
};

/** Returns the power of a flow in a bucket, or undefined if it was not measured. */
export function wattsOf({ watts }: Buckets, flow: EnergyFlow, bucket: number): number | undefined {
  const { kind, share } = flowSources[flow];
  const value = watts[kind]?.[bucket];
  return value === undefined ? undefined : share(value);
}

export const commonHours = (one: TimeRange, other: TimeRange): number =>
  Math.max(0, Math.min(one.to, other.to) - Math.max(one.from, other.from)) / hourMs;

type Overlap = { bucket: number; hours: number };

/** Returns a function that lists the buckets that overlap a range. Its ranges must be in order. */
export function createOverlaps({ ranges }: Buckets): (range: TimeRange) => Overlap[] {
  let first = 0;
  return (range) => {
    const overlaps: Overlap[] = [];
    for (let bucket = first; ; bucket++) {
      const times = ranges[bucket];
      if (!times || times.from >= range.to) return overlaps;
      if (times.to <= range.from) first = bucket + 1;
      else overlaps.push({ bucket, hours: commonHours(times, range) });
    }
  };
}

/** Integrates mean power for each range. A bucket shared by two ranges is split. Ranges must be in order. */
export function energiesOf(buckets: Buckets, ranges: readonly TimeRange[]): Energies[] {
  const overlapsOf = createOverlaps(buckets);
  return ranges.map((range) => {
    const sums: Energies = {};
    for (const { bucket, hours } of overlapsOf(range)) {
      for (const flow of flows) {
        const watts = wattsOf(buckets, flow, bucket);
        if (watts !== undefined) sums[flow] = (sums[flow] ?? 0) + watts * hours;
      }
    }
    return sums;
  });
}
