import { isCounter } from '#contract/telemetry.ts';
import { hourMs, minuteMs } from '#contract/time.ts';
import { digitsOf, toIntegers } from './columns/decimals.ts';
import { withoutGlitches } from './counters.ts';
import { maxChunkFields } from './limits.ts';
import { cutReadings, firstFrom, firstNames, joinColumns, type Readings, rowsInOrder } from './readings.ts';
import { windowOf } from './windows.ts';

export type Spread = { count: Float64Array; sum: Float64Array; min: Float64Array; max: Float64Array };

/** What one field did in each window: of a counter its last value. NaN, and a count of 0, where it was not read. */
export type FieldSummaries = { last: Float64Array; spread?: undefined } | { spread: Spread; last?: undefined };

/** Windows that had readings, in order. */
export type Summaries = { start: Float64Array; fields: Map<string, FieldSummaries> };

/** The minutes of an hour. The readings that follow it tell what was a glitch at its end. */
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

/** The minutes of readings that span some hours, and those that follow them. */
export function summarizeHours(readings: Readings, after: Readings): Summaries {
  const hours = windowsOf(readings.at, hourMs).start;
  const minutes = Array.from(hours, (hour) => {
    const end = hour + hourMs;
    const following = cutReadings(readings, end, end + hourMs);
    return summarizeHour(
      cutReadings(readings, hour, end),
      following.at.length > 0 ? following : cutReadings(after, end, end + hourMs),
    );
  });
  return mergeSummaries(minutes);
}

/** The windows in which these instants, which are in order, lie, and the place after the last of each. */
function windowsOf(at: Float64Array, windowMs: number): { start: Float64Array; ends: number[] } {
  const start: number[] = [];
  const ends: number[] = [];
  for (let i = 0, end = 0; i < at.length; i++) {
    if (at[i]! >= end) {
      if (i > 0) ends.push(i);
      start.push(windowOf(at[i]!, windowMs));
      end = start.at(-1)! + windowMs;
    }
  }
  if (start.length > 0) ends.push(at.length);
  return { start: Float64Array.from(start), ends };
}

function lastOfGroups(last: Float64Array, ends: readonly number[]): Float64Array {
  const lasts = new Float64Array(ends.length).fill(Number.NaN);
  for (let group = 0, i = 0; group < ends.length; group++) {
    for (; i < ends[group]!; i++) if (!Number.isNaN(last[i]!)) lasts[group] = last[i]!;
  }
  return lasts;
}

/** Joins windows, or single values, to keep them. */
function joinSpread(
  { count, sum: values, min, max }: Omit<Spread, 'count'> & { count?: Float64Array },
  ends: readonly number[],
): Spread {
  const none = (): Float64Array => new Float64Array(ends.length).fill(Number.NaN);
  const joined = { count: new Float64Array(ends.length), sum: none(), min: none(), max: none() };
  const { sum, power } = wholeSteps(values);
  for (let group = 0, i = 0; group < ends.length; group++) {
    let counted = 0;
    let total = 0;
    let least = Number.POSITIVE_INFINITY;
    let most = Number.NEGATIVE_INFINITY;
    for (; i < ends[group]!; i++) {
      if (Number.isNaN(sum[i]!)) continue;
      counted += count ? count[i]! : 1;
      total += sum[i]!;
      if (min[i]! < least) least = min[i]!;
      if (max[i]! > most) most = max[i]!;
    }
    if (counted === 0) continue;
    joined.count[group] = counted;
    joined.sum[group] = total / power;
    joined.min[group] = least;
    joined.max[group] = most;
  }
  return joined;
}

/** Decimals are summed as integers, so that the sum is a decimal too and is kept as briefly. */
function wholeSteps(values: Float64Array): { sum: Float64Array; power: number } {
  const digits = digitsOf(values);
  if (digits === undefined || digits === 0) return { sum: values, power: 1 };
  return { sum: toIntegers(values, digits), power: 10 ** digits };
}

/** From minutes to each window of another length that has some. */
export function widenWindows(summaries: Summaries, windowMs: number): Summaries {
  const { start, ends } = windowsOf(summaries.start, windowMs);
  const widen = ({ last, spread }: FieldSummaries): FieldSummaries =>
    spread ? { spread: joinSpread(spread, ends) } : { last: lastOfGroups(last, ends) };
  return { start, fields: new Map(Array.from(summaries.fields, ([name, field]) => [name, widen(field)])) };
}

/** All of them, in order; of two of one window the one of the earlier argument. */
export function mergeSummaries(parts: readonly Summaries[]): Summaries {
  const filled = parts.filter(({ start }) => start.length > 0);
  if (filled.length === 1) return filled[0]!;
  const lengths = filled.map(({ start }) => start.length);
  const start = joinColumns(
    filled.map((part) => part.start),
    lengths,
    0,
  );
  const rows = rowsInOrder(start);
  const names = firstNames([...new Set(filled.flatMap(({ fields }) => [...fields.keys()]))], maxChunkFields);
  const fieldOf = (name: string): FieldSummaries => {
    const columns = filled.map(({ fields }) => fields.get(name));
    const pick = (of: (field: FieldSummaries) => Float64Array | undefined, absent: number): Float64Array => {
      const joined = joinColumns(
        columns.map((field) => field && of(field)),
        lengths,
        absent,
      );
      return rows ? rows.map((row) => joined[row]!) : joined;
    };
    if (isCounter(name)) return { last: pick((field) => field.last, Number.NaN) };
    return {
      spread: {
        count: pick((field) => field.spread?.count, 0),
        sum: pick((field) => field.spread?.sum, Number.NaN),
        min: pick((field) => field.spread?.min, Number.NaN),
        max: pick((field) => field.spread?.max, Number.NaN),
      },
    };
  };
  return {
    start: rows ? rows.map((row) => start[row]!) : start,
    fields: new Map(Array.from(names, (name) => [name, fieldOf(name)])),
  };
}

/** Those from an instant to before another. */
export function cutSummaries({ start, fields }: Summaries, from: number, to: number): Summaries {
  const first = firstFrom(start, from);
  const end = firstFrom(start, to);
  if (first === 0 && end === start.length) return { start, fields };
  const cut = (column: Float64Array): Float64Array => column.subarray(first, end);
  const cutField = ({ last, spread }: FieldSummaries): FieldSummaries =>
    spread
      ? { spread: { count: cut(spread.count), sum: cut(spread.sum), min: cut(spread.min), max: cut(spread.max) } }
      : { last: cut(last) };
  return { start: cut(start), fields: new Map([...fields].map(([name, field]) => [name, cutField(field)])) };
}
