import { isFieldName } from '#contract/telemetry.ts';
import { maxChunkFields, maxDayCells } from './limits.ts';

/** Readings in columns, in the order of their time: NaN where a field was not read. */
export type Readings = { at: Float64Array; fields: Map<string, Float64Array> };

export const noReadings: Readings = { at: new Float64Array(), fields: new Map() };

export type HotRow = { at: number; received: number; body: string };

// What a reading says about itself: kept by `at`, or of no use once it is stored.
const notMeasured = new Set(['timestamp', 'seq', 'read_time_ms']);

/** `isCut` when some fields were left out, because columns for all of them would take too much memory. */
export type ParsedReadings = Readings & { isCut: boolean };

/** How many columns of this length may be held at once. */
export const maxColumns = (length: number): number =>
  Math.min(maxChunkFields, Math.floor(maxDayCells / Math.max(length, 1)));

/** At most so many names, those of the platform's own fields before others. */
export function firstNames(names: readonly string[], most: number): readonly string[] {
  if (names.length <= most) return names;
  return [...names.filter(isFieldName), ...names.filter((name) => !isFieldName(name))].slice(0, most);
}

/**
 * The numbers of readings as they arrived, which are in order. When there are too many fields, those of the platform come before
 * others; `ifCut: 'stop'` then leaves out the rest of the readings as well.
 */
export function parseReadings(
  rows: readonly Pick<HotRow, 'at' | 'body'>[],
  only?: ReadonlySet<string>,
  { ifCut = 'go on' }: { ifCut?: 'go on' | 'stop' } = {},
): ParsedReadings {
  const fields = new Map<string, Float64Array>();
  const most = maxColumns(rows.length);
  let isCut = false;
  const put = (row: number, name: string, value: unknown): void => {
    if (notMeasured.has(name)) return;
    if (typeof value !== 'number' || !Number.isFinite(value) || (only && !only.has(name))) return;
    let column = fields.get(name);
    if (!column) {
      if (fields.size >= most && !isFieldName(name)) {
        isCut = true;
        return;
      }
      column = new Float64Array(rows.length).fill(Number.NaN);
      fields.set(name, column);
    }
    column[row] = value + 0; // -0 is 0
  };
  for (let i = 0; i < rows.length; i++) {
    if (isCut && ifCut === 'stop') break;
    if (isCut) {
      for (const [name, value] of numbersOf(rows[i]!.body)) put(i, name, value);
      continue;
    }
    const body = JSON.parse(rows[i]!.body) as Record<string, unknown>;
    for (const name in body) put(i, name, body[name]);
  }
  return { at: Float64Array.from(rows, ({ at }) => at), fields, isCut };
}

/** A reading whose fields few others have. */
export type SparseReading = { at: number; values: Map<string, number> };

const text = '"(?:[^"\\\\]|\\\\.)*"';
const number = '-?\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?';
const pair = new RegExp(`[{,]\\s*(${text})\\s*:\\s*(?:(${number})|${text}|\\[[^\\]]*\\]|\\w+)\\s*`, 'y');

/**
 * The numbers of a reading as it arrived, which is a flat JSON object. JSON.parse makes a new kind of object for every new set of
 * names, which takes ten times as long and more the more there are.
 */
export function numbersOf(body: string, only?: ReadonlySet<string>): Map<string, number> {
  const values = new Map<string, number>();
  pair.lastIndex = body.indexOf('{');
  for (let found = pair.exec(body); found; found = pair.exec(body)) {
    const [, quoted, digits] = found as unknown as [string, string, string | undefined];
    const name = quoted.includes('\\') ? (JSON.parse(quoted) as string) : quoted.slice(1, -1);
    if (notMeasured.has(name) || (only && !only.has(name))) continue;
    if (digits === undefined) values.delete(name);
    else values.set(name, Number(digits) + 0); // -0 is 0
  }
  return values;
}

/** All of them, in order; of two at an instant the one of the earlier argument. */
export function mergeReadings(parts: readonly Readings[]): Readings {
  const filled = parts.filter(({ at }) => at.length > 0);
  if (filled.length === 1) return filled[0]!;
  const joined = joinReadings(filled);
  const rows = rowsInOrder(joined.at);
  if (!rows) return joined;
  const pick = (column: Float64Array): Float64Array => rows.map((row) => column[row]!);
  return { at: pick(joined.at), fields: new Map(Array.from(joined.fields, ([name, column]) => [name, pick(column)])) };
}

/** The same without the columns that would be too many when they are merged. */
export function withinCells(parts: readonly Readings[]): readonly Readings[] {
  const rows = parts.reduce((sum, { at }) => sum + at.length, 0);
  const names = [...new Set(parts.flatMap(({ fields }) => [...fields.keys()]))];
  const kept = new Set(firstNames(names, maxColumns(rows)));
  if (kept.size === names.length) return parts;
  return parts.map(({ at, fields }) => ({ at, fields: new Map([...fields].filter(([name]) => kept.has(name))) }));
}

/** The rows to take, by their start, the first of those that have the same; undefined when that is all as they are. */
export function rowsInOrder(start: Float64Array): Float64Array | undefined {
  if (start.every((at, row) => row === 0 || start[row - 1]! < at)) return undefined;
  const rows = Float64Array.from(start.keys()).sort((a, b) => start[a]! - start[b]! || a - b);
  return rows.filter((row, i) => i === 0 || start[rows[i - 1]!] !== start[row]);
}

/** Parts one after another. */
function joinReadings(parts: readonly Readings[]): Readings {
  const lengths = parts.map(({ at }) => at.length);
  const names = new Set(parts.flatMap(({ fields }) => [...fields.keys()]));
  const fieldOf = (name: string): Float64Array =>
    joinColumns(
      parts.map(({ fields }) => fields.get(name)),
      lengths,
      Number.NaN,
    );
  return {
    at: joinColumns(
      parts.map(({ at }) => at),
      lengths,
      Number.NaN,
    ),
    fields: new Map(Array.from(names, (name) => [name, fieldOf(name)])),
  };
}

/** Columns one after another; so many of a filler for one that is not there. */
export function joinColumns(
  columns: readonly (Float64Array | undefined)[],
  lengths: readonly number[],
  filler: number,
): Float64Array {
  const joined = new Float64Array(lengths.reduce((sum, length) => sum + length, 0));
  let place = 0;
  for (const [i, length] of lengths.entries()) {
    const column = columns[i];
    if (column) joined.set(column, place);
    else joined.fill(filler, place, place + length);
    place += length;
  }
  return joined;
}

/** Those from an instant to before another. */
export function cutReadings({ at, fields }: Readings, from: number, to: number): Readings {
  const start = firstFrom(at, from);
  const end = firstFrom(at, to);
  if (start === 0 && end === at.length) return { at, fields };
  return {
    at: at.subarray(start, end),
    fields: new Map([...fields].map(([name, column]) => [name, column.subarray(start, end)])),
  };
}

/** The place of the first instant that is not before this one. */
export function firstFrom(at: Float64Array, instant: number): number {
  let low = 0;
  let high = at.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (at[middle]! < instant) low = middle + 1;
    else high = middle;
  }
  return low;
}
