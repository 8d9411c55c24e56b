import { setImmediate } from 'node:timers/promises';
import {
  loadOf,
  type MeasuredKind,
  type SiteKind,
  siteKindOf,
  siteKinds,
  withOneGridMeter,
} from '#contract/balance.ts';
import { maxRawBytes, maxRawReadings, maxRawValues } from '#contract/cloud/telemetry.ts';
import type { DeviceTypeId } from '#contract/der.ts';
import { fieldProblem } from '#contract/problem.ts';
import { dayMs } from '#contract/time.ts';
import { roundedMean } from '../store/telemetry/buckets.ts';
import type { Readings } from '../store/telemetry/readings.ts';
import type { BucketColumns, PointsFormat, TelemetryStore, TextPart } from '../store/telemetry/telemetry-store.ts';
import { answerTooLargeCode } from '../store/telemetry/telemetry-store.ts';
import type { WrittenRows } from '../store/telemetry/text-rows.ts';
import { csvHead, csvRows, jsonRows, measuredNames } from '../store/telemetry/text-rows.ts';
import type { HistorySource } from '../store/telemetry-registry.ts';
import { bucketEdges, type HistoryRange } from './history.ts';
import { momentOf } from './measured.ts';

const figure = (count: number): string => count.toLocaleString('en');

const tooMuchWords = {
  too_many_readings: `more than ${figure(maxRawReadings)} readings`,
  too_many_values: `more than ${figure(maxRawValues)} values`,
  too_many_bytes: `more than ${figure(maxRawBytes / 1024 ** 2)} MB of text`,
};

/** The points of a DER as text: its readings, or its buckets. */
export async function* streamDerPoints(
  telemetry: TelemetryStore,
  der: number,
  range: HistoryRange,
  { timeZone, format }: { timeZone: string; format: PointsFormat | undefined },
): AsyncGenerator<TextPart> {
  const asked = range.resolution === 'raw' ? range : { edges: await bucketEdges(range, timeZone) };
  try {
    yield* telemetry.points(der, asked, range.fields, format);
  } catch (error) {
    const code = answerTooLargeCode(error);
    if (!code) throw error;
    const narrower = 'ask for fewer fields (fields=), for a shorter range, or for a coarser resolution';
    const message = `raw has ${tooMuchWords[code]} in this range; ${narrower}`;
    throw fieldProblem('unprocessable', 'query.resolution', message, { cause: error });
  }
}

/** The power of each kind in columns, one row for each bucket; NaN where it is not known. */
export type SitePowers = { at: Float64Array; kinds: Map<SiteKind, Map<string, Float64Array>> };

const goneMs = 7 * dayMs; // a DER that was silent for so long before a range has left
const edgesAtOnce = 5000; // of a DER, as objects
const bucketsAtOnce = 1000; // added up in one go; a year of a large site is no reason for others to wait
const maxSiteCells = 5_000_000; // buckets times DERs: 120 MB

/** The power of each kind, added up over its DERs, and what is left for the house: its load. */
export async function readSitePowers(
  telemetry: TelemetryStore,
  sources: readonly HistorySource[],
  range: HistoryRange,
  timeZone: string,
): Promise<SitePowers> {
  if (range.fields && !range.fields.includes('W')) return { at: new Float64Array(), kinds: new Map() };
  const edges = await bucketEdges(range, timeZone);
  if (edges.length * sources.length > maxSiteCells) {
    const message = `${range.resolution} is too fine for the ${figure(sources.length)} DERs of this site in so long a range; ask for less time, or for a coarser resolution`;
    throw fieldProblem('unprocessable', 'query.resolution', message);
  }
  const powers: DerPower[] = [];
  for (const { no, der_type, device_type, since, until } of sources) {
    const kind = siteKindOf(der_type, device_type);
    if (!kind) continue;
    const told = await toldBy(telemetry, no, edges);
    // A DER without a value in this range that was heard before or since is missing in a sum, not absent from it.
    if (!told.means.some(Number.isFinite) && !(await wasHeard(telemetry, no, edges[0]! - goneMs))) continue;
    const there = { from: since, to: until ?? Number.POSITIVE_INFINITY };
    powers.push({ kind, deviceType: device_type, there, told });
  }
  const kinds = siteKinds.filter((kind) => powers.some((power) => power.kind === kind));
  const columns = new Map(kinds.map((kind) => [kind, powerColumns(edges.length - 1)]));
  if (columns.has('meter')) columns.set('load', powerColumns(edges.length - 1));

  for (let at = 0; at + 1 < edges.length; at++) {
    if (at % bucketsAtOnce === bucketsAtOnce - 1) await setImmediate();
    const known = powersIn({ from: edges[at]!, to: edges[at + 1]! }, at, powers);
    for (const [kind, column] of columns) {
      const power = kind === 'load' ? loadAmong(known) : sumOf(kind, known);
      for (const name in power) column.get(name)![at] = power[name as keyof KindPower]!;
    }
  }
  return { at: Float64Array.from(edges.slice(0, -1)), kinds: columns };
}

const powerColumns = (length: number): Map<string, Float64Array> =>
  new Map(['W', 'W_min', 'W_max'].map((name) => [name, new Float64Array(length).fill(Number.NaN)]));

const partBytes = 4 * 1024 * 1024;

/** The history of a site as JSON, in parts of a few megabytes; `rest` are its other properties. */
export async function* siteJson({ at, kinds }: SitePowers, rest: object): AsyncGenerator<TextPart> {
  let before = `${JSON.stringify(rest).slice(0, -1)},"series":[`;
  let separator = '';
  for (const [kind, fields] of kinds) {
    before += `${separator}{"kind":${JSON.stringify(kind)},"points":[`;
    separator = '';
    for (let row = 0; row < at.length; ) {
      const range = { empty: 'dropped', first: row, maxBytes: partBytes } as const;
      const written: WrittenRows = await jsonRows({ at, fields }, range);
      row = written.next;
      if (written.bytes.length === 0) continue;
      before += separator + Buffer.from(written.bytes).toString();
      separator = ',';
      if (before.length < partBytes) continue;
      yield { bytes: Buffer.from(before), isLast: false };
      before = '';
    }
    before += ']}';
    separator = ',';
  }
  yield { bytes: Buffer.from(`${before}]}`), isLast: true };
}

/** The same as CSV: one line a time, the columns of each kind beside each other. */
export async function* siteCsv({ at, kinds }: SitePowers): AsyncGenerator<TextPart> {
  const columns = [...kinds].flatMap(([kind, fields]) =>
    Array.from(fields, ([name, column]) => [`${kind}_${name}`, column] as const),
  );
  const readings: Readings = { at, fields: new Map(columns) };
  const names = measuredNames(readings);
  let before = csvHead(names);
  for (let row = 0; ; ) {
    const written = await csvRows(readings, names, { empty: 'dropped', first: row, maxBytes: partBytes });
    row = written.next;
    const isLast = row >= at.length;
    yield { bytes: Buffer.concat([Buffer.from(before), written.bytes]), isLast };
    if (isLast) return;
    before = '';
  }
}

async function wasHeard(telemetry: TelemetryStore, der: number, since: number): Promise<boolean> {
  const last = (await telemetry.latest([der])).get(der);
  return last !== undefined && momentOf(last) >= since;
}

/** What a DER told, by bucket; read in parts, as the buckets of a part are objects. */
async function toldBy(telemetry: TelemetryStore, der: number, edges: readonly number[]): Promise<ReportedPowers> {
  const nothing = (): Float64Array => new Float64Array(edges.length).fill(Number.NaN);
  const told = { means: nothing(), least: nothing(), most: nothing() };
  for (let first = 0; first + 1 < edges.length; first += edgesAtOnce) {
    const some = edges.slice(first, first + edgesAtOnce + 1);
    fillIn(told, first, await telemetry.buckets(der, some, ['W']), edges);
  }
  return told;
}

/** Both are in order. */
function fillIn(
  { means, least, most }: ReportedPowers,
  first: number,
  { start, fields }: BucketColumns,
  edges: readonly number[],
): void {
  const power = fields.get('W')?.spread;
  if (!power) return;
  let at = first;
  for (const [row, bucket] of start.entries()) {
    while (edges[at]! < bucket) at++;
    if (!(power.min[row]! <= power.max[row]!)) continue;
    means[at] = power.mean[row]!;
    least[at] = power.min[row]!;
    most[at] = power.max[row]!;
  }
}

type KindPower = { W: number; W_min?: number; W_max?: number };

/** The extremes of one; several have theirs at other moments than their sum. */
function sumOf(kind: SiteKind, powers: readonly KnownPower[]): KindPower | undefined {
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
  return count === 1 && extremes ? { W, W_min: extremes[0], W_max: extremes[1] } : { W };
}

function loadAmong(powers: readonly KnownPower[]): KindPower | undefined {
  const W = powers.some(({ kind }) => kind === 'meter') ? loadOf(powers) : undefined;
  return W === undefined ? undefined : { W: roundedMean(W) };
}

type TimeRange = { from: number; to: number };

/** By bucket, NaN where nothing was told. */
type ReportedPowers = { means: Float64Array; least: Float64Array; most: Float64Array };

/** What a DER told that was there for a while. */
type DerPower = { kind: MeasuredKind; deviceType: DeviceTypeId; there: TimeRange; told: ReportedPowers };

/** The extremes are those of a DER that was there all the time. */
type KnownPower = {
  kind: MeasuredKind;
  watts: number | undefined;
  extremes: [least: number, most: number] | undefined;
};

type Present = Pick<DerPower, 'kind' | 'deviceType'> & KnownPower & { during: TimeRange };

/**
 * What is known of a bucket, of those that were there. A mean is that of the part in which its DER was there, so it counts
 * by that part.
 */
function powersIn(bucket: TimeRange, at: number, powers: readonly DerPower[]): KnownPower[] {
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
function duringOf(bucket: TimeRange, there: TimeRange, hasTold: boolean): TimeRange | undefined {
  if (there.from <= bucket.from && there.to >= bucket.to) return bucket;
  const during = { from: Math.max(bucket.from, there.from), to: Math.min(bucket.to, there.to) };
  if (during.from < during.to) return during;
  return hasTold ? bucket : undefined;
}

/** One meter is the grid: one that was there all the time, else those that took the place of each other. */
function gridOf(bucket: TimeRange, present: readonly Present[]): Present[] {
  const meters = present.filter(({ kind }) => kind === 'meter');
  const whole = meters.filter(({ during }) => during === bucket);
  if (whole.length > 0) return withOneGridMeter(whole);
  const inTurn: Present[] = [];
  for (const meter of meters.toSorted((one, other) => msOf(other.during) - msOf(one.during))) {
    if (!inTurn.some(({ during }) => overlap(during, meter.during))) inTurn.push(meter);
  }
  return inTurn;
}

const msOf = ({ from, to }: TimeRange): number => to - from;

const overlap = (one: TimeRange, other: TimeRange): boolean => one.from < other.to && other.from < one.to;

/** How long at least one of them lasted. */
function lengthOf(spans: readonly TimeRange[]): number {
  let [length, end] = [0, Number.NEGATIVE_INFINITY];
  for (const { from, to } of spans.toSorted((one, other) => one.from - other.from)) {
    length += Math.max(0, to - Math.max(from, end));
    end = Math.max(end, to);
  }
  return length;
}
