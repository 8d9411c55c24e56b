import { setImmediate } from 'node:timers/promises';
import { loadOf, type SiteKind, siteKindOf, siteKinds } from '#contract/balance.ts';
import { maxRawBytes, maxRawReadings, maxRawValues } from '#contract/cloud/telemetry.ts';
import { fieldProblem } from '#contract/problem.ts';
import { dayMs } from '#contract/time.ts';
import { roundedMean } from '../store/telemetry/bucket-columns.ts';
import { csvHead, csvRows, measuredNames } from '../store/telemetry/csv-rows.ts';
import { tooMuchOf } from '../store/telemetry/faults.ts';
import { jsonRows } from '../store/telemetry/json-rows.ts';
import type { Readings } from '../store/telemetry/readings.ts';
import type { WrittenRows } from '../store/telemetry/rows.ts';
import type { Bucket, PointsFormat, TelemetryStore, TextPart } from '../store/telemetry/telemetry-store.ts';
import type { HistorySource } from '../store/telemetry-registry.ts';
import { momentOf } from './latest.ts';
import { type KnownPower, type Power, powersIn, type ToldPowers } from './powers-in-bucket.ts';
import { edgesOf, type Range } from './range.ts';

const figure = (count: number): string => count.toLocaleString('en');

const tooMuchWords = {
  too_many_readings: `more than ${figure(maxRawReadings)} readings`,
  too_many_values: `more than ${figure(maxRawValues)} values`,
  too_many_bytes: `more than ${figure(maxRawBytes / 1024 ** 2)} MB of text`,
};

/** The points of a DER as text: its readings, or its buckets. */
export async function* derPoints(
  telemetry: TelemetryStore,
  der: number,
  range: Range,
  { timeZone, format }: { timeZone: string; format: PointsFormat | undefined },
): AsyncGenerator<TextPart> {
  const asked = range.resolution === 'raw' ? range : { edges: await edgesOf(range, timeZone) };
  try {
    yield* telemetry.points(der, asked, range.fields, format);
  } catch (error) {
    const code = tooMuchOf(error);
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
export async function sitePowers(
  telemetry: TelemetryStore,
  sources: readonly HistorySource[],
  range: Range,
  timeZone: string,
): Promise<SitePowers> {
  if (range.fields && !range.fields.includes('W')) return { at: new Float64Array(), kinds: new Map() };
  const edges = await edgesOf(range, timeZone);
  if (edges.length * sources.length > maxSiteCells) {
    const message = `${range.resolution} is too fine for the ${figure(sources.length)} DERs of this site in so long a range; ask for less time, or for a coarser resolution`;
    throw fieldProblem('unprocessable', 'query.resolution', message);
  }
  const powers: Power[] = [];
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
async function toldBy(telemetry: TelemetryStore, der: number, edges: readonly number[]): Promise<ToldPowers> {
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
  { means, least, most }: ToldPowers,
  first: number,
  buckets: readonly Bucket[],
  edges: readonly number[],
): void {
  let at = first;
  for (const { start, fields } of buckets) {
    while (edges[at]! < start) at++;
    if (!fields.W) continue;
    means[at] = fields.W.mean;
    least[at] = fields.W.min;
    most[at] = fields.W.max;
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
