import { isFieldName } from '#contract/telemetry.ts';

// Limits of memory. Readings are held in columns of one length, so a field that few readings have takes as many cells
// (numbers) as one that all have.
export const maxChunkFields = 1024; // distinct fields of a chunk or of rollups
export const maxHourCells = 2_000_000; // readings times fields of an hour that is sealed as one chunk: 16 MB
export const maxDayCells = 8_000_000; // of a day that is sealed as one chunk, or of a part of an answer: 64 MB
export const maxChunkBytes = 16 * 1024 * 1024; // sealed bytes that are read together
export const hotRowsAtOnce = 2000; // read together, of at most 16 KB each
export const maxSetAsideBytes = 4 * 1024 * 1024; // text of readings that are set aside in one chunk
export const maxEarlyMs = 1000; // how long before its first reading a chunk of readings that are set aside may start

/** Readings in columns, in the order of their time; NaN means absent. */
export type Readings = { at: Float64Array; fields: Map<string, Float64Array> };

export const emptyReadings: Readings = { at: new Float64Array(), fields: new Map() };

export type HotRow = { at: number; received: number; body: string };

// Describe the reading itself: stored as `at`, or not needed once it is stored.
const notMeasured = new Set(['timestamp', 'seq', 'read_time_ms']);

/** `isCut` means that fields were left out because their columns would take too much memory. */
export type ParsedReadings = Readings & { isCut: boolean };

/** Returns how many columns of this length may be held together. */
export const maxColumns = (length: number): number =>
  Math.min(maxChunkFields, Math.floor(maxDayCells / Math.max(length, 1)));

/** Returns at most `max` names, the platform's own fields first. */
export function limitNames(names: readonly string[], max: number): readonly string[] {
  if (names.length <= max) return names;
  return [...names.filter(isFieldName), ...names.filter((name) => !isFieldName(name))].slice(0, max);
}

/** Parses the numbers of ordered hot rows. With too many fields, keeps the platform's own or stops (`ifCut`). */
export function parseReadings(
  rows: readonly Pick<HotRow, 'at' | 'body'>[],
  only?: ReadonlySet<string>,
  { ifCut = 'go on' }: { ifCut?: 'go on' | 'stop' } = {},
): ParsedReadings {
  const fields = new Map<string, Float64Array>();
  const maxFields = maxColumns(rows.length);
  let isCut = false;
  const put = (row: number, name: string, value: unknown): void => {
    if (notMeasured.has(name)) return;
    if (typeof value !== 'number' || !Number.isFinite(value) || (only && !only.has(name))) return;
    let column = fields.get(name);
    if (!column) {
      if (fields.size >= maxFields && !isFieldName(name)) {
        isCut = true;
        return;
      }
      column = new Float64Array(rows.length).fill(Number.NaN);
      fields.set(name, column);
    }
    column[row] = value + 0; // -0 is 0
  };
  for (const [i, { body }] of rows.entries()) {
    if (isCut && ifCut === 'stop') break;
    if (isCut) {
      for (const [name, value] of parseNumbers(body)) put(i, name, value);
      continue;
    }
    const values: Record<string, unknown> = JSON.parse(body);
    for (const name in values) put(i, name, values[name]);
  }
  return { at: Float64Array.from(rows, ({ at }) => at), fields, isCut };
}

/** A reading whose fields few others have. */
export type SparseReading = { at: number; values: Map<string, number> };

const text = '"(?:[^"\\\\]|\\\\.)*"';
const number = '-?\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?';
const pair = new RegExp(`[{,]\\s*(${text})\\s*:\\s*(?:(${number})|${text}|\\[[^\\]]*\\]|\\w+)\\s*`, 'y');

/**
 * Parses the numbers of a reading, which is a flat JSON object. JSON.parse would create a new hidden class for every new set
 * of names, which takes more than ten times as long when there are many.
 */
export function parseNumbers(body: string, only?: ReadonlySet<string>): Map<string, number> {
  const values = new Map<string, number>();
  pair.lastIndex = body.indexOf('{');
  for (let found = pair.exec(body); found; found = pair.exec(body)) {
    const [, quoted = '', digits] = found;
    const name: string = quoted.includes('\\') ? JSON.parse(quoted) : quoted.slice(1, -1);
    if (notMeasured.has(name) || (only && !only.has(name))) continue;
    if (digits === undefined) values.delete(name);
    else values.set(name, Number(digits) + 0); // -0 is 0
  }
  return values;
}

/** Merges readings in order. When two have the same time, that of the earlier part counts. */
export function mergeReadings(parts: readonly Readings[]): Readings {
  const filled = parts.filter(({ at }) => at.length > 0);
  const [only] = filled;
  if (only && filled.length === 1) return only;
  const joined = joinReadings(filled);
  const rows = rowsInOrder(joined.at);
  if (!rows) return joined;
  const pick = (column: Float64Array): Float64Array => pickRows(column, rows);
  return { at: pick(joined.at), fields: new Map(Array.from(joined.fields, ([name, column]) => [name, pick(column)])) };
}

/** Returns a value that must exist. */
export function valueAt(column: Float64Array, row: number): number {
  const value = column[row];
  if (value === undefined) throw new RangeError(`The column has no row ${row}.`);
  return value;
}

const pickRows = (column: Float64Array, rows: Float64Array): Float64Array => rows.map((row) => valueAt(column, row));

export const countRows = (parts: readonly Readings[]): number => parts.reduce((sum, { at }) => sum + at.length, 0);

/** Drops the columns that would take too much memory when the parts are merged. */
export function dropExcessColumns(
  parts: readonly Readings[],
  maxFields = maxColumns(countRows(parts)),
  fieldOf = (column: string): string => column,
): readonly Readings[] {
  const names = [...new Set(parts.flatMap(({ fields }) => Array.from(fields.keys(), fieldOf)))];
  if (names.length <= maxFields) return parts;
  const kept = new Set(limitNames(names, maxFields));
  const isKept = ([column]: [string, unknown]): boolean => kept.has(fieldOf(column));
  return parts.map(({ at, fields }) => ({ at, fields: new Map([...fields].filter(isKept)) }));
}

/** Returns the rows in order of their start, the first of equal ones; undefined when they are in strict order already. */
function rowsInOrder(start: Float64Array): Float64Array | undefined {
  if (start.every((at, row) => row === 0 || start[row - 1]! < at)) return undefined;
  const rows = Float64Array.from(start.keys()).sort((a, b) => valueAt(start, a) - valueAt(start, b) || a - b);
  return rows.filter((row, i) => i === 0 || start[valueAt(rows, i - 1)] !== start[row]);
}

function joinReadings(parts: readonly Readings[]): Readings {
  const lengths = parts.map(({ at }) => at.length);
  const names = new Set(parts.flatMap(({ fields }) => [...fields.keys()]));
  const join = (columnOf: (part: Readings) => Float64Array | undefined): Float64Array =>
    joinColumns(parts.map(columnOf), lengths);
  return {
    at: join(({ at }) => at),
    fields: new Map(Array.from(names, (name) => [name, join(({ fields }) => fields.get(name))])),
  };
}

/** Concatenates columns of these lengths; a missing one is filled with NaN. */
function joinColumns(columns: readonly (Float64Array | undefined)[], lengths: readonly number[]): Float64Array {
  const joined = new Float64Array(lengths.reduce((sum, length) => sum + length, 0));
  let place = 0;
  for (const [i, length] of lengths.entries()) {
    const column = columns[i];
    if (column) joined.set(column, place);
    else joined.fill(Number.NaN, place, place + length);
    place += length;
  }
  return joined;
}

/** Returns the readings in [from, to), without copying. */
export function sliceReadings({ at, fields }: Readings, from: number, to: number): Readings {
  const start = lowerBound(at, from);
  const end = lowerBound(at, to);
  if (start === 0 && end === at.length) return { at, fields };
  return {
    at: at.subarray(start, end),
    fields: new Map([...fields].map(([name, column]) => [name, column.subarray(start, end)])),
  };
}

/** Returns the index of the first instant that is not before this one. */
export function lowerBound(at: Float64Array, instant: number): number {
  let low = 0;
  let high = at.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (at[middle]! < instant) low = middle + 1;
    else high = middle;
  }
  return low;
}

const arrayOverhead = 560; // bytes of a typed array in V8 besides its values

export const columnBytes = (length: number): number => arrayOverhead + length * Float64Array.BYTES_PER_ELEMENT;

export function toSparse({ at, fields }: Readings): SparseReading[] {
  const readings = Array.from(at, (instant): SparseReading => ({ at: instant, values: new Map() }));
  for (const [name, column] of fields) {
    for (const [row, value] of column.entries()) if (!Number.isNaN(value)) readings[row]?.values.set(name, value);
  }
  return readings;
}

/** Returns the numbers of a reading as a JSON object, after the members given. */
export function stringifyValues(values: ReadonlyMap<string, number>, members = ''): string {
  let json = members;
  for (const [name, value] of values) json += `${json === '' ? '' : ','}${JSON.stringify(name)}:${value}`;
  return `{${json}}`;
}
