import { isCounter } from '#contract/telemetry.ts';
import type { Bucket, TelemetryStore } from '../store/telemetry/telemetry-store.ts';
import type { TelemetryRoute } from '../store/telemetry-routes.ts';
import { edgesOf, type Range } from './range.ts';

export type Point = { timestamp: number; [field: string]: number };

/** The readings of a DER, or its buckets. */
export async function derPoints(
  telemetry: TelemetryStore,
  der: number,
  range: Range,
  timeZone: string,
): Promise<Point[]> {
  if (range.resolution === 'raw') {
    const readings = await telemetry.raw(der, range.from, range.to, range.fields);
    return readings.map(({ at, values }) => ({ timestamp: at, ...values }));
  }
  const buckets = await telemetry.buckets(der, edgesOf(range, timeZone), range.fields);
  return buckets.map(pointOf);
}

function pointOf({ start, fields }: Bucket): Point {
  const point: Point = { timestamp: start };
  for (const [name, { mean, min, max, last }] of Object.entries(fields)) {
    if (isCounter(name)) {
      point[name] = last;
    } else {
      point[name] = mean;
      point[`${name}_min`] = min;
      point[`${name}_max`] = max;
    }
  }
  return point;
}

export const siteKinds = ['meter', 'pv', 'battery', 'charger', 'load'] as const;
type MeasuredKind = Exclude<(typeof siteKinds)[number], 'load'>;

export type SiteSeries = { kind: string; points: Point[] };

/** The power of each kind, added up over its DERs, and what is left for the house: its load. */
export async function sitePoints(
  telemetry: TelemetryStore,
  routes: readonly TelemetryRoute[],
  range: Range,
  timeZone: string,
): Promise<SiteSeries[]> {
  const powers: { kind: MeasuredKind; route: TelemetryRoute; byTime: Map<number, number> }[] = [];
  for (const route of routes) {
    const kind = siteKindOf(route);
    if (!kind) continue;
    const points = await derPoints(telemetry, route.no, { ...range, fields: ['W'] }, timeZone);
    const byTime = new Map(points.flatMap(({ timestamp, W }) => (W === undefined ? [] : [[timestamp, W]])));
    if (byTime.size > 0) powers.push({ kind, route, byTime });
  }
  const counted = withOneGridMeter(powers);
  const times = [...new Set(counted.flatMap(({ byTime }) => [...byTime.keys()]))].sort((a, b) => a - b);
  const kinds = siteKinds.filter((kind) => kind !== 'load' && counted.some((power) => power.kind === kind));

  const series: SiteSeries[] = kinds.map((kind) => {
    const ofKind = counted.filter((power) => power.kind === kind);
    return { kind, points: times.flatMap((timestamp) => sumAt(timestamp, ofKind)) };
  });
  if (kinds.includes('meter'))
    series.push({ kind: 'load', points: times.flatMap((timestamp) => loadAt(timestamp, counted)) });
  return series;
}

function siteKindOf({ der_type, device_type }: TelemetryRoute): MeasuredKind | undefined {
  if (der_type === 'solar') return 'pv';
  if (der_type === 'battery') return 'battery';
  if (der_type === 'ev_charger_port') return 'charger';
  // A sub-meter sees only a part of the house.
  return der_type === 'meter' && device_type !== 'meter' ? 'meter' : undefined;
}

type Power = { kind: MeasuredKind; route: TelemetryRoute; byTime: Map<number, number> };

/** An inverter often has a meter beside the grid company's: one of them is the grid, and the grid company's is better. */
function withOneGridMeter(powers: readonly Power[]): Power[] {
  const meters = powers.filter(({ kind }) => kind === 'meter');
  const grid = meters.find(({ route }) => route.device_type === 'energy_meter') ?? meters[0];
  return powers.filter((power) => power.kind !== 'meter' || power === grid);
}

function sumAt(timestamp: number, powers: readonly Power[]): Point[] {
  const known = powers.flatMap(({ byTime }) => byTime.get(timestamp) ?? []);
  return known.length > 0 ? [{ timestamp, W: known.reduce((sum, watts) => sum + watts, 0) }] : [];
}

/** Only where all of them were measured: a missing battery would pass for a load. */
function loadAt(timestamp: number, powers: readonly Power[]): Point[] {
  let load = 0;
  for (const { kind, byTime } of powers) {
    const watts = byTime.get(timestamp);
    if (watts === undefined) return [];
    load += kind === 'meter' ? watts : -watts;
  }
  return [{ timestamp, W: load }];
}
