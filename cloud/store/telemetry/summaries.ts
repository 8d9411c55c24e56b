import { isCounter } from '#contract/telemetry.ts';
import { hourMs, minuteMs } from '#contract/time.ts';
import { digitsOf, toIntegers } from './codec/numbers.ts';
import { windowStart } from './levels.ts';
import { dropExcessColumns, maxChunkFields, mergeReadings, type Readings, sliceReadings } from './readings.ts';

const spreadParts = ['count', 'sum', 'min', 'max'] as const;

export type Spread = Record<(typeof spreadParts)[number], Float64Array>;

/**
 * Rollups: the windows with readings, in order, at their start. A counter has the column `last W` of its field; another field
 * has `count W`, `sum W`, `min W` and `max W`. Where a field is absent, all its columns are NaN.
 */
export type Summaries = Readings;

/** Returns the field of a column, which follows the first space. */
export const fieldOf = (column: string): string => column.slice(column.indexOf(' ') + 1);

export const fieldsOf = (parts: readonly Summaries[]): string[] => [
  ...new Set(parts.flatMap(({ fields }) => Array.from(fields.keys(), fieldOf))),
];

export const lastOf = ({ fields }: Summaries, name: string): Float64Array | undefined => fields.get(`last ${name}`);

export function spreadOf({ fields }: Summaries, name: string): Spread | undefined {
  const [count, sum, min, max] = spreadParts.map((part) => fields.get(`${part} ${name}`));
  return count && sum && min && max && { count, sum, min, max };
}

export function putSpread({ fields }: Summaries, name: string, spread: Spread): void {
  for (const part of spreadParts) fields.set(`${part} ${name}`, spread[part]);
}

/** Computes the minutes of an hour. The readings after it show whether a drop at its end was a glitch. */
export function summarizeHour({ at, fields }: Readings, after: Readings): Summaries {
  const { start, ends } = windowsOf(at, minuteMs);
  const minutes: Summaries = { at: start, fields: new Map() };
  for (const [name, column] of fields) {
    if (isCounter(name)) {
      const values = withoutGlitches(column, after.fields.get(name) ?? new Float64Array());
      minutes.fields.set(`last ${name}`, lastOfGroups(values, ends));
    } else putSpread(minutes, name, joinSpread({ sum: column, min: column, max: column }, ends));
  }
  return minutes;
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
  for (let group = 0, i = 0; group < ends.length; group++) {
    for (const end = ends[group]!; i < end; i++) {
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
  const column = (): Float64Array => new Float64Array(ends.length).fill(Number.NaN);
  const joined = { count: column(), sum: column(), min: column(), max: column() };
  const { sum, power } = wholeSteps(values);
  for (let group = 0, i = 0; group < ends.length; group++) {
    const end = ends[group]!;
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
  const { start, ends } = windowsOf(summaries.at, windowMs);
  const wider: Summaries = { at: start, fields: new Map() };
  for (const name of fieldsOf([summaries])) {
    const [last, spread] = [lastOf(summaries, name), spreadOf(summaries, name)];
    if (last) wider.fields.set(`last ${name}`, lastOfGroups(last, ends));
    if (spread) putSpread(wider, name, joinSpread(spread, ends));
  }
  return wider;
}

/** Merges rollups in order. When two have the same window, that of the earlier part counts. */
export const mergeSummaries = (parts: readonly Summaries[]): Summaries =>
  mergeReadings(dropExcessColumns(parts, maxChunkFields, fieldOf));

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
