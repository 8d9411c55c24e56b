import { quarterMs } from '#contract/cloud/energy.ts';
import { dayMs, parseTime } from '#contract/time.ts';
import { dateAt, instantOf, startOfDate, wallAt } from '#contract/time-zone.ts';
import { addDays, type CalendarDay, isDay, monthAfter, weekdayOf } from '../../chart/calendar.ts';
import type { Load } from '../../parts/load.tsx';
import { lastQuarter } from '../bill/period.ts';
import type { TimeRange } from './buckets.ts';

/** Returns the name of a CSV file: the ID and the first day at the site. */
export const csvName = (id: string, { from }: TimeRange, timeZone: string | undefined): string =>
  `${id}-${dateAt(timeZone, from)}.csv`;

/** Returns a range as the API takes it. */
export const isoRange = ({ from, to }: TimeRange): { from: string; to: string } => ({
  from: new Date(from).toISOString(),
  to: new Date(to).toISOString(),
});

export const presets = ['day', 'week', 'month', 'year'] as const;
export type Preset = (typeof presets)[number];

/** A range in ms; a preset is a period of the site's calendar. */
export type Range = {
  preset: Preset | 'custom';
  from: number;
  to: number;
  /** moves on to the next period with the clock */
  follows: boolean;
};

export type RangeQuery = Record<'range' | 'date' | 'from' | 'to', string | undefined>;

const quarterFrom = (ms: number): number => Math.floor(ms / quarterMs) * quarterMs;
const quarterUntil = (ms: number): number => Math.ceil(ms / quarterMs) * quarterMs;

/** Reads the range from a query; invalid or missing values mean today. A custom range consists of whole quarter-hours. */
export function rangeOf(query: { get(name: string): string | null }, nowMs: number, timeZone?: string): Range {
  const from = parseTime(query.get('from') ?? '');
  const to = parseTime(query.get('to') ?? '');
  if (from !== undefined && to !== undefined && from < to) {
    return { preset: 'custom', from: quarterFrom(from), to: quarterUntil(to), follows: false };
  }
  const preset = presets.find((name) => name === query.get('range')) ?? 'day';
  const date = query.get('date') ?? '';
  const day = isDay(date) ? date : dateAt(timeZone, nowMs);
  return { preset, ...periodOf(preset, day, timeZone), follows: day !== date };
}

function periodOf(preset: Preset, day: CalendarDay, timeZone: string | undefined): { from: number; to: number } {
  const first = firstDay(preset, day);
  return { from: startOfDate(timeZone, first), to: startOfDate(timeZone, firstOfNext(preset, first, 1)) };
}

function firstDay(preset: Preset, day: CalendarDay): CalendarDay {
  if (preset === 'day') return day;
  if (preset === 'week') return addDays(day, -weekdayOf(day));
  return preset === 'month' ? monthAfter(day, 0) : `${day.slice(0, 4)}-01-01`;
}

function firstOfNext(preset: Preset, first: CalendarDay, by: number): CalendarDay {
  if (preset === 'day') return addDays(first, by);
  if (preset === 'week') return addDays(first, 7 * by);
  return monthAfter(first, preset === 'month' ? by : 12 * by);
}

/** Returns the previous (-1) or next (1) period; a custom range moves by its own length. */
export function neighbour(range: Range, by: -1 | 1, timeZone?: string): Range {
  const { preset, from, to } = range;
  if (preset === 'custom') {
    const length = (to - from) * by;
    return { ...range, from: from + length, to: to + length };
  }
  const first = firstOfNext(preset, dateAt(timeZone, from), by);
  return { preset, ...periodOf(preset, first, timeZone), follows: false };
}

/** Returns the end of a range, or of the current quarter of an hour if that is earlier, as bills do. */
export const passedEnd = ({ to }: TimeRange, nowMs: number): number => Math.min(to, quarterUntil(nowMs + 1));

/** Returns the end of the bill of a range. The bill of a day ends with its last complete quarter of an hour. */
export const billEnd = (range: Range, nowMs: number): number =>
  range.preset === 'day' ? Math.min(range.to, lastQuarter(nowMs)) : passedEnd(range, nowMs);

export const comparisons = ['before', 'lastYear'] as const;
export type Comparison = (typeof comparisons)[number];

/** Returns the comparisons of a range. The year before a year is also the last year. */
export const comparisonsOf = ({ preset }: Range): Comparison[] => (preset === 'year' ? ['before'] : [...comparisons]);

/** Returns the previous period, or the same period of last year, cut to as many complete quarter-hours as have passed of the range. */
export const comparedRange = (range: Range, comparison: Comparison, nowMs: number, timeZone?: string): TimeRange =>
  comparedUntil(range, comparison, lastQuarter(nowMs), timeZone);

/** Returns the previous period, or the same period of last year, cut to the part of the range until an instant. */
export function comparedUntil(range: Range, comparison: Comparison, until: number, timeZone?: string): TimeRange {
  const { preset, from } = range;
  const to = Math.max(from, Math.min(range.to, until));
  if (preset === 'custom' && comparison === 'before') {
    const start = from - (range.to - from);
    return { from: start, to: start + (to - from) };
  }
  const hasWeekdays = preset === 'day' || preset === 'week';
  const dayBefore = comparison === 'before' ? earlierDay[preset as Preset] : hasWeekdays ? yearOfWeeks : lastYear;
  const moved = (ms: number): number => {
    const timeMs = ((wallAt(timeZone, ms) % dayMs) + dayMs) % dayMs;
    return instantOf(timeZone, Date.parse(`${dayBefore(dateAt(timeZone, ms))}T00:00:00Z`) + timeMs);
  };
  return { from: moved(from), to: Math.min(moved(to), comparison === 'before' ? from : Number.POSITIVE_INFINITY) };
}

const lastYear = (day: CalendarDay): CalendarDay => {
  const same = `${Number(day.slice(0, 4)) - 1}${day.slice(4)}`;
  return isDay(same) ? same : same.replace('-02-29', '-02-28');
};

/** The same weekdays of last year. */
const yearOfWeeks = (day: CalendarDay): CalendarDay => addDays(day, -364);

/** A day that the month before does not have is the first of the month. */
function lastMonth(day: CalendarDay): CalendarDay {
  const same = addDays(monthAfter(day, -1), Number(day.slice(8)) - 1);
  return same < monthAfter(day, 0) ? same : monthAfter(day, 0);
}

const earlierDay: Record<Preset, (day: CalendarDay) => CalendarDay> = {
  day: (day) => addDays(day, -1),
  week: (day) => addDays(day, -7),
  month: lastMonth,
  year: lastYear,
};

export const hasEnded = ({ to }: Range, nowMs: number): boolean => to <= nowMs;

/** Returns the query of a range. The current period has no date and follows the clock. */
export function queryFor({ preset, from, to }: Range, nowMs: number, timeZone?: string): RangeQuery {
  if (preset === 'custom') {
    return { range: undefined, date: undefined, ...isoRange({ from, to }) };
  }
  const isNow = from <= nowMs && nowMs < to;
  return { range: preset, date: isNow ? undefined : dateAt(timeZone, from), from: undefined, to: undefined };
}

/** Changes the preset: to the period of today if the range contains it, else of its first day. */
export function withPreset(range: Range, preset: Preset | 'custom', nowMs: number, timeZone?: string): Range {
  if (preset === 'custom') return { ...range, preset, follows: false };
  const hasNow = range.from <= nowMs && nowMs < range.to;
  return onDay(preset, dateAt(timeZone, hasNow ? nowMs : range.from), timeZone);
}

export const onDay = (preset: Preset, day: CalendarDay, timeZone?: string): Range => ({
  preset,
  ...periodOf(preset, day, timeZone),
  follows: false,
});

/** Drops the value of a load if it belongs to another range. */
export function onlyFor<T extends { span: TimeRange } | undefined>(load: Load<T>, { from, to }: TimeRange): Load<T> {
  const { value, ...rest } = load;
  return value && value.span.from === from && value.span.to === to ? load : rest;
}
