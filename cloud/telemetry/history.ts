import { setImmediate } from 'node:timers/promises';
import {
  loadOf,
  type MeasuredKind,
  type SiteKind,
  siteKindOf,
  siteKinds,
  withOneGridMeter,
} from '#contract/balance.ts';
import type { DeviceTypeId } from '#contract/der.ts';
import type { TelemetryStore } from '../store/telemetry/telemetry-store.ts';
import type { HistorySource } from '../store/telemetry-routes.ts';
import { edgesOf, type Range } from './range.ts';

export type Point = { timestamp: number; [field: string]: number };

/** The points of a DER as JSON: its readings, or its buckets. */
export const derPoints = (
  telemetry: TelemetryStore,
  der: number,
  range: Range,
  timeZone: string,
): Promise<Uint8Array> =>
  telemetry.points(der, range.resolution === 'raw' ? range : { edges: edgesOf(range, timeZone) }, range.fields);

const atOnce = 1000;

export type SiteSeries = { kind: string; points: Point[] };

/**
 * The power of each kind, added up over its DERs, and what is left for the house: its load. Each moment is told by those
 * that were there then.
 */
export async function sitePoints(
  telemetry: TelemetryStore,
  sources: readonly HistorySource[],
  range: Range,
  timeZone: string,
): Promise<SiteSeries[]> {
  const edges = edgesOf(range, timeZone);
  const powersOf = async ({ no, der_type, device_type, since, until }: HistorySource): Promise<Power[]> => {
    const kind = siteKindOf(der_type, device_type);
    if (!kind) return [];
    const buckets = await telemetry.buckets(no, edges, ['W']);
    const byTime = new Map(buckets.flatMap(({ start, fields: { W } }) => (W ? [[start, W.mean]] : [])));
    return byTime.size > 0 ? [{ kind, deviceType: device_type, since, until, byTime }] : [];
  };
  const powers = (await Promise.all(sources.map(powersOf))).flat();
  const times = [...new Set(powers.flatMap(({ byTime }) => [...byTime.keys()]))].sort((a, b) => a - b);
  const endOf = new Map(edges.slice(1).map((end, at) => [edges[at]!, end]));
  const moments: Moment[] = [];
  for (const [count, timestamp] of times.entries()) {
    if (count % atOnce === atOnce - 1) await setImmediate(); // a year of a large site is no reason for others to wait
    moments.push({ timestamp, powers: powersIn({ from: timestamp, to: endOf.get(timestamp)! }, powers) });
  }
  const kinds = siteKinds.filter((kind) => powers.some((power) => power.kind === kind));

  const series: SiteSeries[] = kinds.map((kind) => ({
    kind,
    points: moments.flatMap((moment) => sumOf(kind, moment)),
  }));
  if (kinds.includes('meter')) series.push({ kind: 'load', points: moments.flatMap(loadAt) });
  return series;
}

type Power = Pick<HistorySource, 'since' | 'until'> & {
  kind: MeasuredKind;
  deviceType: DeviceTypeId;
  byTime: Map<number, number>;
};

type Known = { kind: MeasuredKind; watts: number | undefined };
type Moment = { timestamp: number; powers: Known[] };

type Span = { from: number; to: number };
type Present = Power & { during: Span };

/** What each that was there measured in a bucket, by the part of it that it was there: its mean is that of this part. */
function powersIn(bucket: Span, powers: readonly Power[]): Known[] {
  const there = countedIn(
    bucket,
    powers.flatMap((power) => {
      const during = duringOf(bucket, power);
      return during ? [{ ...power, during }] : [];
    }),
  );
  const measuredMs = lengthOf(there.flatMap(({ byTime, during }) => (byTime.has(bucket.from) ? [during] : [])));
  return there.map(({ kind, byTime, during: { from, to } }) => {
    const watts = byTime.get(bucket.from);
    return { kind, watts: watts === undefined ? undefined : (watts * (to - from)) / measuredMs };
  });
}

/** Also when it told of a time before it came, from what it had kept. */
function duringOf(bucket: Span, { since, until, byTime }: Power): Span | undefined {
  const during = { from: Math.max(bucket.from, since), to: Math.min(bucket.to, until ?? bucket.to) };
  if (during.from < during.to) return during;
  return byTime.has(bucket.from) ? bucket : undefined;
}

/** One meter is the grid: one that was there all the time, or several of which each took the place of the one before. */
function countedIn(bucket: Span, there: readonly Present[]): Present[] {
  const meters = there.filter(({ kind }) => kind === 'meter');
  const whole = meters.filter(({ during }) => during.from === bucket.from && during.to === bucket.to);
  const grid = whole.length > 0 ? withOneGridMeter(whole) : inTurn(meters);
  return [...grid, ...there.filter(({ kind }) => kind !== 'meter')];
}

function inTurn(meters: readonly Present[]): Present[] {
  const turn: Present[] = [];
  for (const meter of meters.toSorted((one, other) => one.during.from - other.during.from)) {
    if ((turn.at(-1)?.during.to ?? 0) <= meter.during.from) turn.push(meter);
  }
  return turn;
}

/** How long one of them lasted at least. */
function lengthOf(spans: readonly Span[]): number {
  let [length, end] = [0, Number.NEGATIVE_INFINITY];
  for (const { from, to } of spans.toSorted((one, other) => one.from - other.from)) {
    length += Math.max(0, to - Math.max(from, end));
    end = Math.max(end, to);
  }
  return length;
}

function sumOf(kind: SiteKind, { timestamp, powers }: Moment): Point[] {
  const known = powers.flatMap((power) => (power.kind === kind ? (power.watts ?? []) : []));
  return known.length > 0 ? [{ timestamp, W: known.reduce((sum, watts) => sum + watts, 0) }] : [];
}

function loadAt({ timestamp, powers }: Moment): Point[] {
  const load = powers.some(({ kind }) => kind === 'meter') ? loadOf(powers) : undefined;
  return load === undefined ? [] : [{ timestamp, W: load }];
}
