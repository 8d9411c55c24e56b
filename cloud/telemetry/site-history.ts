import { setImmediate } from 'node:timers/promises';
import * as balance from '#contract/balance.ts';
import type { DeviceTypeId } from '#contract/der.ts';
import { fieldProblem } from '#contract/problem.ts';
import { dayMs } from '#contract/time.ts';
import { roundedMean } from '../store/telemetry/buckets.ts';
import type { Readings } from '../store/telemetry/readings.ts';
import type { TelemetryStore, TextPart } from '../store/telemetry/telemetry-store.ts';
import { csvHead, csvRows, jsonRows, measuredNames, type WrittenRows } from '../store/telemetry/text-rows.ts';
import type { HistorySource } from '../store/telemetry-registry.ts';
import { bucketEdges, figure, type HistoryRange } from './history.ts';
import { momentOf } from './measured.ts';

/** The columns W, W_min and W_max of each kind, one row for each bucket; NaN where a value is unknown. */
export type SitePowers = { at: Float64Array; kinds: Map<balance.SiteKind, Map<string, Float64Array>> };

const goneMs = 7 * dayMs; // a DER without readings for this long before a range has left the site
const edgesAtOnce = 5000; // of a DER
const bucketsAtOnce = 1000; // added up before other requests are served
const maxSiteCells = 5_000_000; // buckets times DERs: 120 MB

/** Adds up the power of each kind over its DERs, and calculates the load of the house. */
export async function readSitePowers(
  telemetry: TelemetryStore,
  sources: readonly HistorySource[],
  range: HistoryRange,
  timeZone: string,
): Promise<SitePowers> {
  if (range.fields && !range.fields.includes('W')) return { at: new Float64Array(), kinds: new Map() };
  const edges = await bucketEdges(range, timeZone);
  const at = Float64Array.from(edges.slice(0, -1));
  if (edges.length * sources.length > maxSiteCells) {
    const message = `${range.resolution} is too fine for the ${figure(sources.length)} DERs of this site in so long a range; ask for less time, or for a coarser resolution`;
    throw fieldProblem('unprocessable', 'query.resolution', message);
  }
  const powers: DerPower[] = [];
  for (const { no, der_type, device_type, since, until } of sources) {
    const kind = balance.siteKindOf(der_type, device_type);
    if (!kind) continue;
    const columns = await readColumns(telemetry, no, edges);
    // A DER without a value in this range that was heard before or since is missing in a sum, not absent from it.
    if (!columns.mean.some(Number.isFinite) && !(await wasHeard(telemetry, no, (at[0] ?? 0) - goneMs))) continue;
    const presence = { from: since, to: until ?? Number.POSITIVE_INFINITY };
    powers.push({ kind, deviceType: device_type, presence, columns });
  }
  const kinds: balance.SiteKind[] = balance.siteKinds.filter((kind) => powers.some((power) => power.kind === kind));
  if (kinds.includes('meter') && !kinds.includes('load')) kinds.push('load');
  const emptyFields = () => new Map(['W', 'W_min', 'W_max'].map((name) => [name, emptyColumn(at.length)]));
  const columns = new Map(kinds.map((kind) => [kind, emptyFields()]));

  for (const [row, from] of at.entries()) {
    if (row % bucketsAtOnce === bucketsAtOnce - 1) await setImmediate();
    const known = powersIn({ from, to: edges[row + 1] ?? from }, row, powers);
    for (const [kind, fields] of columns) {
      const power = kind === 'load' ? loadAmong(known) : sumOf(kind, known);
      let index = 0;
      for (const column of fields.values()) column[row] = power?.[index++] ?? Number.NaN;
    }
  }
  return { at, kinds: columns };
}

const emptyColumn = (length: number): Float64Array => new Float64Array(length).fill(Number.NaN);

const partBytes = 4 * 1024 * 1024;

/** Streams the history of a site as JSON, in parts of a few megabytes; `rest` are its other properties. */
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

/** Streams the history of a site as CSV: one line for each time, with the columns of all kinds. */
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

/** Reads the power of a DER by bucket, in parts. */
async function readColumns(telemetry: TelemetryStore, der: number, edges: readonly number[]): Promise<DerColumns> {
  const [mean, min, max] = [emptyColumn(edges.length), emptyColumn(edges.length), emptyColumn(edges.length)];
  for (let first = 0; first + 1 < edges.length; first += edgesAtOnce) {
    const { at, fields } = await telemetry.buckets(der, edges.slice(first, first + edgesAtOnce + 1), ['W']);
    const powerOf = (part: string, bucket: number): number => fields.get(`${part} W`)?.[bucket] ?? Number.NaN;
    let row = first;
    for (const [bucket, time] of at.entries()) {
      while ((edges[row] ?? time) < time) row++; // both are in order
      const [least, most] = [powerOf('min', bucket), powerOf('max', bucket)];
      if (!(least <= most)) continue; // absent
      mean[row] = powerOf('mean', bucket);
      min[row] = least;
      max[row] = most;
    }
  }
  return { mean, min, max };
}

/** Power as W, W_min and W_max. */
type KindPower = [mean: number, min?: number, max?: number];

/** Returns the sum of a kind. Its extremes are known only if it is one DER: several have theirs at different times. */
function sumOf(kind: balance.SiteKind, powers: readonly KnownPower[]): KindPower | undefined {
  let [sum, count] = [0, 0];
  let extremes: KnownPower['extremes'];
  for (const power of powers) {
    if (power.kind !== kind || power.watts === undefined) continue;
    sum += power.watts;
    count++;
    extremes = power.extremes;
  }
  if (count === 0) return undefined;
  const mean = roundedMean(sum);
  return count === 1 && extremes ? [mean, ...extremes] : [mean];
}

function loadAmong(powers: readonly KnownPower[]): KindPower | undefined {
  const watts = powers.some(({ kind }) => kind === 'meter') ? balance.loadOf(powers) : undefined;
  return watts === undefined ? undefined : [roundedMean(watts)];
}

type TimeRange = { from: number; to: number };

/** One value per bucket; NaN for a bucket without values. */
type DerColumns = { mean: Float64Array; min: Float64Array; max: Float64Array };

/** The power of a DER, and the time during which it belonged to the site. */
type DerPower = { kind: balance.MeasuredKind; deviceType: DeviceTypeId; presence: TimeRange; columns: DerColumns };

/** The power of a DER in a bucket; with extremes if it was present for the whole bucket. */
type KnownPower = {
  kind: balance.MeasuredKind;
  watts: number | undefined;
  extremes: [min: number, max: number] | undefined;
};

type Present = Pick<DerPower, 'kind' | 'deviceType'> & KnownPower & { during: TimeRange };

/** Returns the power of the DERs present in a bucket; that of a DER present for a part of it is weighted by that part. */
function powersIn(bucket: TimeRange, row: number, powers: readonly DerPower[]): KnownPower[] {
  const present: Present[] = [];
  for (const { kind, deviceType, presence, columns } of powers) {
    const [mean = Number.NaN, min = mean, max = mean] = [columns.mean[row], columns.min[row], columns.max[row]];
    const watts = Number.isNaN(mean) ? undefined : mean;
    const during = duringOf(bucket, presence, watts !== undefined);
    const extremes: KnownPower['extremes'] = during === bucket ? [min, max] : undefined;
    if (during) present.push({ kind, deviceType, during, watts, extremes });
  }
  if (present.every(({ during }) => during === bucket)) return balance.withOneGridMeter(present);
  const counted = [...present.filter(({ kind }) => kind !== 'meter'), ...gridOf(bucket, present)];
  const measuredMs = lengthOf(counted.flatMap(({ watts, during }) => (watts === undefined ? [] : [during])));
  return counted.map(({ kind, watts, extremes, during: { from, to } }) => ({
    kind,
    extremes,
    watts: watts === undefined ? undefined : (watts * (to - from)) / measuredMs,
  }));
}

/** Returns when a DER was present in a bucket. A value from before it was added, which it had stored, covers all of it. */
function duringOf(bucket: TimeRange, presence: TimeRange, hasValue: boolean): TimeRange | undefined {
  if (presence.from <= bucket.from && presence.to >= bucket.to) return bucket;
  const during = { from: Math.max(bucket.from, presence.from), to: Math.min(bucket.to, presence.to) };
  if (during.from < during.to) return during;
  return hasValue ? bucket : undefined;
}

/** Returns the meter of the grid: one that was present for the whole bucket, else those that replaced each other. */
function gridOf(bucket: TimeRange, present: readonly Present[]): Present[] {
  const meters = present.filter(({ kind }) => kind === 'meter');
  const whole = meters.filter(({ during }) => during === bucket);
  if (whole.length > 0) return balance.withOneGridMeter(whole);
  const lengthMs = ({ during }: Present): number => during.to - during.from;
  const inTurn: Present[] = [];
  for (const meter of meters.toSorted((one, other) => lengthMs(other) - lengthMs(one))) {
    if (!inTurn.some(({ during }) => overlap(during, meter.during))) inTurn.push(meter);
  }
  return inTurn;
}

const overlap = (one: TimeRange, other: TimeRange): boolean => one.from < other.to && other.from < one.to;

/** Returns the length of the union of time ranges. */
function lengthOf(ranges: readonly TimeRange[]): number {
  let [length, end] = [0, Number.NEGATIVE_INFINITY];
  for (const { from, to } of ranges.toSorted((one, other) => one.from - other.from)) {
    length += Math.max(0, to - Math.max(from, end));
    end = Math.max(end, to);
  }
  return length;
}
