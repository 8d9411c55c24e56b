import { setImmediate } from 'node:timers/promises';
import { loadOf, type SiteKind, siteKindOf, siteKinds } from '#contract/balance.ts';
import { mostReadings } from '#contract/cloud/telemetry.ts';
import { fieldProblem } from '#contract/problem.ts';
import { dayMs } from '#contract/time.ts';
import { roundedMean } from '../store/telemetry/bucket-columns.ts';
import { isTooMany } from '../store/telemetry/faults.ts';
import type { Bucket, PointsFormat, TelemetryStore } from '../store/telemetry/telemetry-store.ts';
import type { HistorySource } from '../store/telemetry-routes.ts';
import { momentOf } from './latest.ts';
import { type KnownPower, type Power, powersIn, type ToldPowers } from './powers-in-bucket.ts';
import { edgesOf, type Range } from './range.ts';

export type Point = { timestamp: number; [field: string]: number };

/** The points of a DER as text: its readings, or its buckets. */
export async function derPoints(
  telemetry: TelemetryStore,
  der: number,
  range: Range,
  { timeZone, format }: { timeZone: string; format: PointsFormat | undefined },
): Promise<Uint8Array> {
  const asked = range.resolution === 'raw' ? range : { edges: await edgesOf(range, timeZone) };
  try {
    return await telemetry.points(der, asked, range.fields, format);
  } catch (error) {
    if (!isTooMany(error)) throw error;
    const most = mostReadings.toLocaleString('en');
    const message = `raw has more than ${most} readings in this range; ask for less time, or for a coarser resolution`;
    throw fieldProblem('unprocessable', 'query.resolution', message, { cause: error });
  }
}

export type SiteSeries = { kind: string; points: Point[] };

const goneMs = 7 * dayMs; // who was silent for so long before a range is taken for gone
const atOnce = 1000; // buckets; a year of a large site is no reason for others to wait

/** The power of each kind, added up over its DERs, and what is left for the house: its load. */
export async function sitePoints(
  telemetry: TelemetryStore,
  sources: readonly HistorySource[],
  range: Range,
  timeZone: string,
): Promise<SiteSeries[]> {
  if (range.fields && !range.fields.includes('W')) return [];
  const edges = await edgesOf(range, timeZone);
  const powersOf = async ({ no, der_type, device_type, since, until }: HistorySource): Promise<Power[]> => {
    const kind = siteKindOf(der_type, device_type);
    if (!kind) return [];
    const buckets = await telemetry.buckets(no, edges, ['W']);
    // One that told nothing now but did before or since is missing in a sum, not absent from it.
    if (buckets.length === 0 && !(await wasHeard(telemetry, no, edges[0]! - goneMs))) return [];
    const there = { from: since, to: until ?? Number.POSITIVE_INFINITY };
    return [{ kind, deviceType: device_type, there, told: toldIn(buckets, edges) }];
  };
  const powers = (await Promise.all(sources.map(powersOf))).flat();
  const kinds = siteKinds.filter((kind) => powers.some((power) => power.kind === kind));
  const series = new Map<SiteKind, Point[]>(kinds.map((kind) => [kind, []]));
  if (series.has('meter')) series.set('load', []);

  for (let at = 0; at + 1 < edges.length; at++) {
    if (at % atOnce === atOnce - 1) await setImmediate();
    const timestamp = edges[at]!;
    const known = powersIn({ from: timestamp, to: edges[at + 1]! }, at, powers);
    for (const [kind, points] of series) {
      const point = kind === 'load' ? loadAmong(timestamp, known) : sumOf(timestamp, kind, known);
      if (point) points.push(point);
    }
  }
  return Array.from(series, ([kind, points]) => ({ kind, points }));
}

async function wasHeard(telemetry: TelemetryStore, der: number, since: number): Promise<boolean> {
  const last = (await telemetry.latest([der])).get(der);
  return last !== undefined && momentOf(last) >= since;
}

/** Both are in order. */
function toldIn(buckets: readonly Bucket[], edges: readonly number[]): ToldPowers {
  const nothing = (): Float64Array => new Float64Array(edges.length).fill(Number.NaN);
  const [means, least, most] = [nothing(), nothing(), nothing()];
  let at = 0;
  for (const { start, fields } of buckets) {
    while (edges[at]! < start) at++;
    if (!fields.W) continue;
    means[at] = fields.W.mean;
    least[at] = fields.W.min;
    most[at] = fields.W.max;
  }
  return { means, least, most };
}

/** The extremes of one; several have theirs at other moments than their sum. */
function sumOf(timestamp: number, kind: SiteKind, powers: readonly KnownPower[]): Point | undefined {
  let [sum, count] = [0, 0];
  let extremes: KnownPower['extremes'];
  for (const power of powers) {
    if (power.kind !== kind || power.watts === undefined) continue;
    sum += power.watts;
    count++;
    extremes = power.extremes;
  }
  if (count === 0) return undefined;
  const W = roundedMean(sum);
  return count === 1 && extremes ? { timestamp, W, W_min: extremes[0], W_max: extremes[1] } : { timestamp, W };
}

function loadAmong(timestamp: number, powers: readonly KnownPower[]): Point | undefined {
  const W = powers.some(({ kind }) => kind === 'meter') ? loadOf(powers) : undefined;
  return W === undefined ? undefined : { timestamp, W: roundedMean(W) };
}
