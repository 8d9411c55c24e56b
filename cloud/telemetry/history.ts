import { loadOf, type MeasuredKind, siteKindOf, siteKinds, withOneGridMeter } from '#contract/balance.ts';
import type { DeviceTypeId } from '#contract/der.ts';
import type { TelemetryStore } from '../store/telemetry/telemetry-store.ts';
import type { TelemetryRoute } from '../store/telemetry-routes.ts';
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

export type SiteSeries = { kind: string; points: Point[] };

/** The power of each kind, added up over its DERs, and what is left for the house: its load. */
export async function sitePoints(
  telemetry: TelemetryStore,
  routes: readonly TelemetryRoute[],
  range: Range,
  timeZone: string,
): Promise<SiteSeries[]> {
  const edges = edgesOf(range, timeZone);
  const powersOf = async ({ no, der_type, device_type }: TelemetryRoute): Promise<Power[]> => {
    const kind = siteKindOf(der_type, device_type);
    if (!kind) return [];
    const buckets = await telemetry.buckets(no, edges, ['W']);
    const byTime = new Map(buckets.flatMap(({ start, fields: { W } }) => (W ? [[start, W.mean]] : [])));
    return byTime.size > 0 ? [{ kind, deviceType: device_type, byTime }] : [];
  };
  const powers = (await Promise.all(routes.map(powersOf))).flat();
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
