import { type MeasuredKind, withOneGridMeter } from '#contract/balance.ts';
import type { DeviceTypeId } from '#contract/der.ts';

export type Span = { from: number; to: number };

/** By bucket, NaN where nothing was told. */
export type ToldPowers = { means: Float64Array; least: Float64Array; most: Float64Array };

/** What a DER told that was there for a while. */
export type Power = { kind: MeasuredKind; deviceType: DeviceTypeId; there: Span; told: ToldPowers };

/** The extremes are those of a DER that was there all the time. */
export type KnownPower = {
  kind: MeasuredKind;
  watts: number | undefined;
  extremes: [least: number, most: number] | undefined;
};

type Present = Pick<Power, 'kind' | 'deviceType'> & KnownPower & { during: Span };

/**
 * What is known of a bucket, of those that were there. A mean is that of the part in which its DER was there, so it counts
 * by that part.
 */
export function powersIn(bucket: Span, at: number, powers: readonly Power[]): KnownPower[] {
  const present: Present[] = [];
  for (const power of powers) {
    const { means, least, most } = power.told;
    const watts = Number.isNaN(means[at]!) ? undefined : means[at]!;
    const during = duringOf(bucket, power.there, watts !== undefined);
    const extremes: KnownPower['extremes'] = during === bucket ? [least[at]!, most[at]!] : undefined;
    if (during) present.push({ kind: power.kind, deviceType: power.deviceType, during, watts, extremes });
  }
  if (present.every(({ during }) => during === bucket)) return withOneGridMeter(present);
  const counted = [...present.filter(({ kind }) => kind !== 'meter'), ...gridOf(bucket, present)];
  const measuredMs = lengthOf(counted.flatMap(({ watts, during }) => (watts === undefined ? [] : [during])));
  return counted.map(({ kind, watts, extremes, during: { from, to } }) => ({
    kind,
    extremes,
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
