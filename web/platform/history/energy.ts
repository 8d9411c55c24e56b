import { hourMs } from '#contract/time.ts';
import type { Buckets, TimeRange } from './buckets.ts';

const taken = (watts: number): number => Math.max(0, watts);
const given = (watts: number): number => Math.max(0, -watts);

/** Energy flows of a site, one per direction. Charts stack them in this order, sources upwards and consumers downwards. */
export const flows = [
  { flow: 'generated', kind: 'pv', share: given, colour: 'sun', isSource: true },
  { flow: 'imported', kind: 'meter', share: taken, colour: 'grid-in', isSource: true },
  { flow: 'discharged', kind: 'battery', share: given, colour: 'battery', isSource: true },
  { flow: 'carGave', kind: 'charger', share: given, colour: 'car', isSource: true },
  { flow: 'house', kind: 'load', share: (watts: number) => watts, colour: 'load', isSource: false },
  { flow: 'carTook', kind: 'charger', share: taken, colour: 'car', isSource: false },
  { flow: 'charged', kind: 'battery', share: taken, colour: 'battery', isSource: false },
  { flow: 'exported', kind: 'meter', share: given, colour: 'grid-out', isSource: false },
] as const;
export type Flow = (typeof flows)[number];

/** Energy in Wh. Only `house`, which is a difference, can be negative; unmeasured flows are left out. */
export type Energies = Partial<Record<Flow['flow'], number>>;

/** Returns the power of a flow in a bucket, or undefined if it was not measured. */
export function wattsOf({ watts }: Buckets, { kind, share }: Flow, bucket: number): number | undefined {
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
      for (const source of flows) {
        const watts = wattsOf(buckets, source, bucket);
        if (watts !== undefined) sums[source.flow] = (sums[source.flow] ?? 0) + watts * hours;
      }
    }
    return sums;
  });
}
