import { type MeasuredKind, withOneGridMeter } from '#contract/balance.ts';
import type { DeviceTypeId } from '#contract/der.ts';

export type Span = { from: number; to: number };

/** What a DER that was there for a while told: its mean in each bucket, NaN where it told nothing. */
export type Power = { kind: MeasuredKind; deviceType: DeviceTypeId; there: Span; means: Float64Array };

export type Known = { kind: MeasuredKind; watts: number | undefined };

type Present = Pick<Power, 'kind' | 'deviceType'> & { during: Span; watts: number | undefined };

/**
 * What is known of a bucket, of those that were there. A mean is that of the part in which its DER was there, so it counts
 * by that part.
 */
export function powersIn(bucket: Span, at: number, powers: readonly Power[]): Known[] {
  const present: Present[] = [];
  for (const power of powers) {
    const mean = power.means[at]!;
    const watts = Number.isNaN(mean) ? undefined : mean;
    const during = duringOf(bucket, power.there, watts !== undefined);
    if (during) present.push({ kind: power.kind, deviceType: power.deviceType, during, watts });
  }
  if (present.every(({ during }) => during === bucket)) return withOneGridMeter(present);
  const counted = [...present.filter(({ kind }) => kind !== 'meter'), ...gridOf(bucket, present)];
  const measuredMs = lengthOf(counted.flatMap(({ watts, during }) => (watts === undefined ? [] : [during])));
  return counted.map(({ kind, watts, during: { from, to } }) => ({
    kind,
    watts: watts === undefined ? undefined : (watts * (to - from)) / measuredMs,
  }));
}

/** Also when it told of a time before it came, from what it had kept: then of all of it. */
function duringOf(bucket: Span, there: Span, hasTold: boolean): Span | undefined {
  if (there.from <= bucket.from && there.to >= bucket.to) return bucket;
  const during = { from: Math.max(bucket.from, there.from), to: Math.min(bucket.to, there.to) };
  if (during.from < during.to) return during;
  return hasTold ? bucket : undefined;
}

/** One meter is the grid: one that was there all the time, else those that took the place of each other. */
function gridOf(bucket: Span, present: readonly Present[]): Present[] {
  const meters = present.filter(({ kind }) => kind === 'meter');
  const whole = meters.filter(({ during }) => during === bucket);
  if (whole.length > 0) return withOneGridMeter(whole);
  const inTurn: Present[] = [];
  for (const meter of meters.toSorted((one, other) => msOf(other.during) - msOf(one.during))) {
    if (!inTurn.some(({ during }) => overlap(during, meter.during))) inTurn.push(meter);
  }
  return inTurn;
}

const msOf = ({ from, to }: Span): number => to - from;

const overlap = (one: Span, other: Span): boolean => one.from < other.to && other.from < one.to;

/** How long at least one of them lasted. */
function lengthOf(spans: readonly Span[]): number {
  let [length, end] = [0, Number.NEGATIVE_INFINITY];
  for (const { from, to } of spans.toSorted((one, other) => one.from - other.from)) {
    length += Math.max(0, to - Math.max(from, end));
    end = Math.max(end, to);
  }
  return length;
}
