import type { SiteKind } from '#contract/balance.ts';
import { hourMs } from '#contract/time.ts';
import type { Buckets } from './buckets.ts';

/** What flowed, one word for each direction. */
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
export type Flow = (typeof flows)[number];

/** Wh, never negative but for the house, which is what is left over; what was never measured is not there. */
export type Energies = Partial<Record<Flow, number>>;

export type Span = { from: number; to: number };

const parts: Record<Flow, { kind: SiteKind; share(watts: number): number }> = {
  generated: { kind: 'pv', share: (watts) => Math.max(0, -watts) },
  imported: { kind: 'meter', share: (watts) => Math.max(0, watts) },
  exported: { kind: 'meter', share: (watts) => Math.max(0, -watts) },
  charged: { kind: 'battery', share: (watts) => Math.max(0, watts) },
  discharged: { kind: 'battery', share: (watts) => Math.max(0, -watts) },
  carTook: { kind: 'charger', share: (watts) => Math.max(0, watts) },
  carGave: { kind: 'charger', share: (watts) => Math.max(0, -watts) },
  house: { kind: 'load', share: (watts) => watts },
};

/** The power of a flow in a bucket; undefined when it was not measured. */
export function wattsOf({ watts }: Buckets, flow: Flow, bucket: number): number | undefined {
  const { kind, share } = parts[flow];
  const value = watts[kind]?.[bucket];
  return value === undefined ? undefined : share(value);
}

/** How long a bucket lies within a span, hours. */
export const hoursWithin = ({ starts, ends }: Buckets, bucket: number, { from, to }: Span): number =>
  Math.max(0, Math.min(ends[bucket]!, to) - Math.max(starts[bucket]!, from)) / hourMs;

/** Mean power times time, for each span; a bucket that two spans share is divided. Spans are in order. */
export function energiesOf(buckets: Buckets, spans: readonly Span[]): Energies[] {
  let first = 0;
  return spans.map((span) => {
    const sums: Energies = {};
    while (first < buckets.starts.length && buckets.ends[first]! <= span.from) first++;
    for (let bucket = first; bucket < buckets.starts.length && buckets.starts[bucket]! < span.to; bucket++) {
      const hours = hoursWithin(buckets, bucket, span);
      for (const flow of flows) {
        const watts = wattsOf(buckets, flow, bucket);
        if (watts !== undefined) sums[flow] = (sums[flow] ?? 0) + watts * hours;
      }
    }
    return sums;
  });
}
