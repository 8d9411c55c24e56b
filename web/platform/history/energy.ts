import { hourMs } from '#contract/time.ts';
import type { Bucket, Buckets, TimeRange } from './buckets.ts';

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

type Watts = Bucket['watts'];

/** Returns the power of a flow in a bucket, or undefined if it was not measured. */
export function wattsOf(watts: Watts, { kind, share }: Flow): number | undefined {
  const value = watts[kind];
  return value === undefined ? undefined : share(value);
}

/** Returns a function that lists the buckets that overlap a range. Its ranges must be in order. */
export function createOverlaps({ rows }: Buckets): (range: TimeRange) => { watts: Watts; hours: number }[] {
  let first = 0;
  return ({ from, to }) => {
    const overlaps: { watts: Watts; hours: number }[] = [];
    for (let i = first; ; i++) {
      const bucket = rows[i];
      if (!bucket || bucket.from >= to) return overlaps;
      const hours = (Math.min(bucket.to, to) - Math.max(bucket.from, from)) / hourMs;
      if (bucket.to <= from) first = i + 1;
      else overlaps.push({ watts: bucket.watts, hours });
    }
  };
}

/** Integrates mean power for each range. A bucket shared by two ranges is split. Ranges must be in order. */
export function energiesOf(buckets: Buckets, ranges: readonly TimeRange[]): Energies[] {
  const overlapsOf = createOverlaps(buckets);
  return ranges.map((range) => {
    const sums: Energies = {};
    for (const { watts, hours } of overlapsOf(range)) {
      for (const source of flows) {
        const power = wattsOf(watts, source);
        if (power !== undefined) sums[source.flow] = (sums[source.flow] ?? 0) + power * hours;
      }
    }
    return sums;
  });
}
