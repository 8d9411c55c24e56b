import { readBuckets, roundedMean } from './buckets.ts';
import { measureRaw, type RawSize, rawParts, readColumns } from './raw.ts';
import { type Readings, type SparseReading, stringifyValues, valueAt } from './readings.ts';
import type { Sealer } from './sealing-run.ts';
import { fieldOf } from './summaries.ts';
import type { ReadTables } from './tables.ts';
import {
  createHotParser,
  DecodedSummaries,
  type Fields,
  LastDecodedChunk,
  readLatest,
  readReceivedAfter,
  type TelemetryReader,
} from './telemetry-reader.ts';
import type { BucketColumns, PointsFormat, PointsQuery, Sample, TelemetryStore, TextPart } from './telemetry-store.ts';
import { csvHead, csvRows, joinBytes, jsonRows, measuredNames, type RowRange, type WrittenRows } from './text-rows.ts';

/** Answers queries, here or in another thread. */
export type Queries = {
  latest(ders: readonly number[]): Promise<Sample[]>;
  receivedAfter: TelemetryStore['receivedAfter'];
  buckets(der: number, edges: readonly number[], fields: Fields): Promise<BucketColumns>;
  readings: TelemetryStore['readings'];
  piece(piece: PieceRequest): Promise<Piece>;
  measure(der: number, range: { from: number; to: number }, fields: Fields, format: PointsFormat): Promise<RawSize>;
};

export function createQueries(tables: ReadTables, hotReadings = createHotParser(tables)): Queries {
  const decoded = new DecodedSummaries();
  const reader: TelemetryReader = { tables, hotReadings, decoded, lastChunk: new LastDecodedChunk() };
  return {
    latest: (ders) => readLatest(tables, ders),
    receivedAfter: (ders, received) => readReceivedAfter(tables, ders, received),
    buckets: (der, edges, fields) => readBuckets(reader, der, edges, fields),
    readings: (...asked) => readColumns(reader, ...asked),
    piece: (piece) => readPiece(reader, piece),
    measure: (...asked) => measureRaw(reader, ...asked),
  };
}

type StoreParts = Pick<TelemetryStore, 'append' | 'batching' | 'serverOf' | 'close'> & {
  queries: Queries;
  sealer: Omit<Sealer, 'close'>;
  /** the time before which readings are deleted */
  forgottenBefore: number;
};

export function createStore(parts: StoreParts): TelemetryStore {
  const { append, batching, serverOf, close, queries, sealer, forgottenBefore } = parts;
  let oldestKept = forgottenBefore;
  return {
    append,
    batching,
    serverOf,
    oldestKept: () => oldestKept,
    latest: async (ders) => new Map((await queries.latest(ders)).map((sample) => [sample.der, sample])),
    receivedAfter: queries.receivedAfter,
    buckets: queries.buckets,
    readings: queries.readings,
    points: (...asked) => streamPoints(queries, ...asked),
    seal: sealer.seal,
    erase: sealer.erase,
    async forget(now) {
      oldestKept = (await sealer.forget(now)) ?? oldestKept;
    },
    close,
  };
}

const edgesAtOnce = 3000; // two days of minutes
const pieceBytes = 4 * 1024 * 1024;

/** `names` are the columns of CSV. */
type PieceRequest = { der: number; asked: PointsQuery; fields: Fields; format: PointsFormat; names?: string[] };

/** A part of an answer as text; `next` is where the following part begins. */
type Piece = { bytes: Uint8Array<ArrayBuffer>; next?: number | undefined; names: string[] };

/** Reads readings or buckets as text, up to a few megabytes. */
function readPiece(reader: TelemetryReader, piece: PieceRequest): Promise<Piece> {
  const { asked } = piece;
  return 'edges' in asked ? bucketsPiece(reader, piece, asked.edges) : rawPiece(reader, piece, asked);
}

async function rawPiece(
  reader: TelemetryReader,
  { der, fields, format, names = [] }: PieceRequest,
  { from, to }: { from: number; to: number },
): Promise<Piece> {
  const texts: Uint8Array[] = [];
  let bytes = 0;
  for await (const { readings, end } of rawParts(reader, der, from, to, fields)) {
    const range = { empty: 'kept', maxBytes: pieceBytes - bytes } as const;
    const written = Array.isArray(readings)
      ? writeSparse(readings, names, format, range.maxBytes)
      : await write(readings, names, format, range);
    if (written.bytes.length > 0) texts.push(...separator(format, texts), written.bytes);
    bytes += written.bytes.length;
    const left = Array.isArray(readings) ? readings[written.next]?.at : readings.at[written.next];
    const next = left ?? end;
    if (bytes >= pieceBytes && next < to) return { bytes: joinBytes(texts), next, names };
  }
  return { bytes: joinBytes(texts), names };
}

async function bucketsPiece(
  reader: TelemetryReader,
  { der, fields, format, names }: PieceRequest,
  edges: readonly number[],
): Promise<Piece> {
  const some = edges.slice(0, edgesAtOnce + 1);
  const points = pointsOf(await readBuckets(reader, der, some, fields));
  const columns = names ?? (format === 'csv' ? measuredNames(points) : []);
  const written = await write(points, columns, format, { empty: 'dropped', maxBytes: pieceBytes });
  const next = points.at[written.next] ?? (some.length < edges.length ? some.at(-1) : undefined);
  return { bytes: written.bytes, next, names: columns };
}

const comma = Buffer.from(',');

const separator = (format: PointsFormat, before: readonly unknown[]): Uint8Array[] =>
  format === 'json' && before.length > 0 ? [comma] : [];

const write = (
  readings: Readings,
  names: readonly string[],
  format: PointsFormat,
  range: RowRange,
): Promise<WrittenRows> => (format === 'csv' ? csvRows(readings, names, range) : jsonRows(readings, range));

/** Writes readings that have too many fields for columns. */
function writeSparse(
  readings: readonly SparseReading[],
  names: readonly string[],
  format: PointsFormat,
  maxBytes: number,
): WrittenRows {
  const texts: string[] = [];
  const places = new Map(names.map((name, place) => [name, place]));
  let length = 0;
  for (const { at, values } of readings) {
    if (length >= maxBytes) break;
    const text =
      format === 'csv'
        ? `${new Date(at).toISOString()}${sparseCells(values, places)}\n`
        : stringifyValues(values, `"timestamp":${at}`);
    texts.push(text);
    length += text.length;
  }
  return { bytes: new Uint8Array(Buffer.from(texts.join(format === 'csv' ? '' : ','))), next: texts.length };
}

/** Returns a cell for each column, most of them empty. Costs time per value, not per column. */
function sparseCells(values: SparseReading['values'], places: ReadonlyMap<string, number>): string {
  const filled = Array.from(values)
    .map(([name, value]) => ({ place: places.get(name) ?? -1, value }))
    .filter(({ place }) => place >= 0)
    .sort((one, other) => one.place - other.place);
  let text = '';
  let last = -1;
  for (const { place, value } of filled) {
    text += `${','.repeat(place - last)}${value}`;
    last = place;
  }
  return text + ','.repeat(places.size - 1 - last);
}

/** Streams an answer in parts of a few megabytes, each read when the one before was consumed. */
async function* streamPoints(
  source: Queries,
  der: number,
  asked: PointsQuery,
  fields: Fields,
  format: PointsFormat = 'json',
): AsyncGenerator<TextPart> {
  const measure = (): Promise<RawSize> | undefined =>
    'edges' in asked ? undefined : source.measure(der, asked, fields, format);
  let names = format === 'csv' ? (await measure())?.names : undefined;
  let piece = await source.piece({ der, asked: beginningOf(asked), fields, format, ...(names && { names }) });
  if (piece.next !== undefined && format === 'json') await measure(); // an answer of one piece is within every limit
  if (piece.next !== undefined && format === 'csv' && !names) {
    names = await namesOf(source, { der, asked, fields, format }, piece);
    piece = await source.piece({ der, asked: beginningOf(asked), fields, format, names });
  }
  const [head, tail] = format === 'csv' ? [csvHead(piece.names), ''] : ['[', ']'];
  let before = Buffer.from(head);
  let hasRows = false;
  for (;;) {
    const { bytes, next } = piece;
    const isLast = next === undefined;
    const between = format === 'json' && hasRows && bytes.length > 0 ? comma : Buffer.alloc(0);
    hasRows ||= bytes.length > 0;
    yield { bytes: Buffer.concat([before, between, bytes, Buffer.from(isLast ? tail : '')]), isLast };
    if (isLast) return;
    before = Buffer.alloc(0);
    piece = await source.piece({ der, asked: restOf(asked, next), fields, format, ...(names && { names }) });
  }
}

/** Returns the columns of all pieces. */
async function namesOf(source: Queries, asked: PieceRequest, first: Piece): Promise<string[]> {
  const names = new Set(first.names);
  for (let { next } = first; next !== undefined; ) {
    const piece = await source.piece({ ...asked, asked: restOf(asked.asked, next) });
    for (const name of piece.names) names.add(name);
    next = piece.next;
  }
  return [...names].sort();
}

const restOf = (asked: PointsQuery, from: number): PointsQuery =>
  'edges' in asked ? beginningOf(asked, asked.edges.indexOf(from)) : { from, to: asked.to };

/** Returns the edges of one piece, and one more to show that others follow: copying all edges to the thread for each piece would be slow. */
const beginningOf = (asked: PointsQuery, first = 0): PointsQuery =>
  'edges' in asked ? { edges: asked.edges.slice(first, first + edgesAtOnce + 2) } : asked;

/** Names the columns as clients see them: W for the last value of a counter or the mean, W_min and W_max. */
function pointsOf({ at, fields }: BucketColumns): Readings {
  const columns = new Map<string, Float64Array>();
  for (const [column, values] of fields) {
    const part = column.slice(0, column.indexOf(' '));
    const name = fieldOf(column);
    const shown = part === 'mean' ? values.map(roundedMean) : values;
    const shownName = part === 'min' || part === 'max' ? `${name}_${part}` : name;
    const other = columns.get(shownName); // a device may have a field of its own that is called W_min
    const both = other && shown.map((value, row) => (Number.isFinite(value) ? value : valueAt(other, row)));
    columns.set(shownName, both ?? shown);
  }
  return { at, fields: columns };
}
