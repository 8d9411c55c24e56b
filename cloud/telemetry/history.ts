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
  const moments = times.map((timestamp) => ({ timestamp, powers: powersAt(timestamp, powers) }));
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

function powersAt(timestamp: number, powers: readonly Power[]): Known[] {
  const there = powers.filter(
    ({ since, until, byTime }) =>
      byTime.has(timestamp) || (since <= timestamp && (until === null || timestamp < until)),
  );
  return withOneGridMeter(there).map(({ kind, byTime }) => ({ kind, watts: byTime.get(timestamp) }));
}

function sumOf(kind: SiteKind, { timestamp, powers }: Moment): Point[] {
  const known = powers.flatMap((power) => (power.kind === kind ? (power.watts ?? []) : []));
  return known.length > 0 ? [{ timestamp, W: known.reduce((sum, watts) => sum + watts, 0) }] : [];
}

function loadAt({ timestamp, powers }: Moment): Point[] {
  const load = powers.some(({ kind }) => kind === 'meter') ? loadOf(powers) : undefined;
  return load === undefined ? [] : [{ timestamp, W: load }];
}
