import { isCounter } from '#contract/telemetry.ts';
import { hourMs, minuteMs } from '#contract/time.ts';
import { digitsOf, toIntegers } from './codec/numbers.ts';
import { windowStart } from './levels.ts';
import {
  joinColumns,
  limitNames,
  lowerBound,
  maxChunkFields,
  pickRows,
  type Readings,
  rowsInOrder,
  sliceReadings,
} from './readings.ts';

export type Spread = Record<'count' | 'sum' | 'min' | 'max', Float64Array>;

const makeSpread = (columnOf: (name: keyof Spread) => Float64Array): Spread => ({
  count: columnOf('count'),
  sum: columnOf('sum'),
  min: columnOf('min'),
  max: columnOf('max'),
});

/** A field in each window; a counter has only its last value. Where a field is absent, all its columns are NaN. */
export type FieldSummaries = { last: Float64Array; spread?: undefined } | { spread: Spread; last?: undefined };

/** Rollups: the windows with readings, in order. */
export type Summaries = { start: Float64Array; fields: Map<string, FieldSummaries> };

/** Computes the minutes of an hour. The readings after it show whether a drop at its end was a glitch. */
export function summarizeHour({ at, fields }: Readings, after: Readings): Summaries {
  const { start, ends } = windowsOf(at, minuteMs);
  const summaries = new Map<string, FieldSummaries>();
  for (const [name, column] of fields) {
    if (isCounter(name)) {
      const values = withoutGlitches(column, after.fields.get(name) ?? new Float64Array());
      summaries.set(name, { last: lastOfGroups(values, ends) });
    } else summaries.set(name, { spread: joinSpread({ sum: column, min: column, max: column }, ends) });
  }
  return { start, fields: summaries };
}

/** Computes the minutes of readings that span several hours. */
export function summarizeHours(readings: Readings, after: Readings): Summaries {
  const hours = windowsOf(readings.at, hourMs).start;
  const minutes = Array.from(hours, (hour) => {
    const end = hour + hourMs;
    const following = sliceReadings(readings, end, end + hourMs);
    return summarizeHour(
      sliceReadings(readings, hour, end),
      following.at.length > 0 ? following : sliceReadings(after, end, end + hourMs),
    );
  });
  return mergeSummaries(minutes);
}

/** Returns the windows of ascending instants, and the index after the last instant of each. */
function windowsOf(at: Float64Array, windowMs: number): { start: Float64Array; ends: number[] } {
  const start: number[] = [];
  const ends: number[] = [];
  for (let i = 0, end = 0; i < at.length; i++) {
    const instant = at[i]!;
    if (instant < end) continue;
    if (i > 0) ends.push(i);
    const window = windowStart(instant, windowMs);
    start.push(window);
    end = window + windowMs;
  }
  if (start.length > 0) ends.push(at.length);
  return { start: Float64Array.from(start), ends };
}

function lastOfGroups(last: Float64Array, ends: readonly number[]): Float64Array {
  const lasts = new Float64Array(ends.length).fill(Number.NaN);
  let i = 0;
  for (const [group, end] of ends.entries()) {
    for (; i < end; i++) {
      const value = last[i]!;
      if (!Number.isNaN(value)) lasts[group] = value;
    }
  }
  return lasts;
}

/** Aggregates groups of values or windows. */
function joinSpread(
  { count, sum: values, min, max }: Omit<Spread, 'count'> & { count?: Float64Array },
  ends: readonly number[],
): Spread {
  const joined = makeSpread(() => new Float64Array(ends.length).fill(Number.NaN));
  const { sum, power } = wholeSteps(values);
  let i = 0;
  for (const [group, end] of ends.entries()) {
    let counted = 0;
    let total = 0;
    let least = Number.POSITIVE_INFINITY;
    let most = Number.NEGATIVE_INFINITY;
    for (; i < end; i++) {
      const value = sum[i]!;
      if (Number.isNaN(value)) continue;
      counted += count ? count[i]! : 1;
      total += value;
      const low = min[i]!;
      const high = max[i]!;
      if (low < least) least = low;
      if (high > most) most = high;
    }
    if (counted === 0) continue;
    joined.count[group] = counted;
    joined.sum[group] = total / power;
    joined.min[group] = least;
    joined.max[group] = most;
  }
  return joined;
}

/** Scales decimals to integers, so that their sum is an exact decimal, which takes fewer bytes. */
function wholeSteps(values: Float64Array): { sum: Float64Array; power: number } {
  const digits = digitsOf(values);
  if (digits === undefined || digits === 0) return { sum: values, power: 1 };
  return { sum: toIntegers(values, digits), power: 10 ** digits };
}

/** Aggregates minutes into longer windows. */
export function rollUp(summaries: Summaries, windowMs: number): Summaries {
  const { start, ends } = windowsOf(summaries.start, windowMs);
  const widen = ({ last, spread }: FieldSummaries): FieldSummaries =>
    spread ? { spread: joinSpread(spread, ends) } : { last: lastOfGroups(last, ends) };
  return { start, fields: new Map(Array.from(summaries.fields, ([name, field]) => [name, widen(field)])) };
}

/** Merges rollups in order. When two have the same window, that of the earlier part counts. */
export function mergeSummaries(parts: readonly Summaries[]): Summaries {
  const filled = parts.filter(({ start }) => start.length > 0);
  const [only] = filled;
  if (only && filled.length === 1) return only;
  const lengths = filled.map(({ start }) => start.length);
  const start = joinColumns(
    filled.map((part) => part.start),
    lengths,
  );
  const rows = rowsInOrder(start);
  const names = limitNames([...new Set(filled.flatMap(({ fields }) => [...fields.keys()]))], maxChunkFields);
  const fieldOf = (name: string): FieldSummaries => {
    const pick = (columnOf: (field: FieldSummaries) => Float64Array | undefined): Float64Array => {
      const columns = filled.map(({ fields }) => fields.get(name)).map((field) => field && columnOf(field));
      const joined = joinColumns(columns, lengths);
      return rows ? pickRows(joined, rows) : joined;
    };
    if (isCounter(name)) return { last: pick(({ last }) => last) };
    return { spread: makeSpread((key) => pick(({ spread }) => spread?.[key])) };
  };
  return {
    start: rows ? pickRows(start, rows) : start,
    fields: new Map(Array.from(names, (name) => [name, fieldOf(name)])),
  };
}

/** Returns the windows that start in [from, to), without copying. */
export function sliceSummaries({ start, fields }: Summaries, from: number, to: number): Summaries {
  const first = lowerBound(start, from);
  const end = lowerBound(start, to);
  if (first === 0 && end === start.length) return { start, fields };
  const cut = (column: Float64Array): Float64Array => column.subarray(first, end);
  const cutField = ({ last, spread }: FieldSummaries): FieldSummaries =>
    spread ? { spread: makeSpread((key) => cut(spread[key])) } : { last: cut(last) };
  return { start: cut(start), fields: new Map([...fields].map(([name, field]) => [name, cutField(field)])) };
}

/**
 * Replaces the glitches of a counter by NaN: drops after which one of the next two readings reaches at least the value
 * before. A lasting drop means a new counter. `after` are the values that follow.
 */
function withoutGlitches(values: Float64Array, after: Float64Array): Float64Array {
  const places: number[] = [];
  const present: number[] = [];
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (Number.isNaN(value)) continue;
    places.push(i);
    present.push(value);
  }
  for (const value of after) if (!Number.isNaN(value)) present.push(value);
  const good = values.slice();
  for (let i = 1; i < places.length; i++) {
    const before = present[i - 1]!;
    if (present[i]! >= before) continue;
    if (present[i + 1]! >= before) good[places[i]!] = Number.NaN;
    else if (present[i + 2]! >= before) {
      good[places[i]!] = Number.NaN;
      if (i + 1 < places.length) good[places[i + 1]!] = Number.NaN;
    }
  }
  return good;
}
