import { loadOf, type MeasuredKind, siteKindOf, siteKinds, withOneGridMeter } from '#contract/balance.ts';
import type { DeviceTypeId } from '#contract/der.ts';
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

export type SiteSeries = { kind: string; points: Point[] };

/** The power of each kind, added up over its DERs, and what is left for the house: its load. */
export async function sitePoints(
  telemetry: TelemetryStore,
  routes: readonly TelemetryRoute[],
  range: Range,
  timeZone: string,
): Promise<SiteSeries[]> {
  const powers: Power[] = [];
  for (const route of routes) {
    const kind = siteKindOf(route.der_type, route.device_type);
    if (!kind) continue;
    const points = await derPoints(telemetry, route.no, { ...range, fields: ['W'] }, timeZone);
    const byTime = new Map(points.flatMap(({ timestamp, W }) => (W === undefined ? [] : [[timestamp, W]])));
    if (byTime.size > 0) powers.push({ kind, deviceType: route.device_type, byTime });
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

type Power = { kind: MeasuredKind; deviceType: DeviceTypeId; byTime: Map<number, number> };

function sumAt(timestamp: number, powers: readonly Power[]): Point[] {
  const known = powers.flatMap(({ byTime }) => byTime.get(timestamp) ?? []);
  return known.length > 0 ? [{ timestamp, W: known.reduce((sum, watts) => sum + watts, 0) }] : [];
}

function loadAt(timestamp: number, powers: readonly Power[]): Point[] {
  const load = loadOf(powers.map(({ kind, byTime }) => ({ kind, watts: byTime.get(timestamp) })));
  return load === undefined ? [] : [{ timestamp, W: load }];
}
