import { parseTime } from '#contract/time.ts';
import { dateAt, startOfDate } from '#contract/time-zone.ts';
import { addDays, type CalendarDay, isDay, monthAfter, weekdayOf } from '../../chart/calendar.ts';
import type { Load } from '../../parts/load.tsx';
import type { Span } from './energy.ts';

/** The name of a file with the data of a span: whose they are, and the day at the site with which they begin. */
export const csvName = (id: string, { from }: Span, timeZone: string | undefined): string =>
  `${id}-${dateAt(timeZone, from)}.csv`;

export const presets = ['day', 'week', 'month', 'year'] as const;
export type Preset = (typeof presets)[number];

/** A part of time, ms; a preset is one of the calendar at the site. */
export type Range = {
  preset: Preset | 'custom';
  from: number;
  to: number;
  /** goes on to the next period when time does */
  follows: boolean;
};

/** How a range stands in the address. */
export type RangeQuery = Record<'range' | 'date' | 'from' | 'to', string | undefined>;

type Named = { get(name: string): string | null };

/** The range that an address means; today when it says nothing that can be understood. */
export function rangeOf(query: Named, nowMs: number, timeZone?: string): Range {
  const from = parseTime(query.get('from') ?? '');
  const to = parseTime(query.get('to') ?? '');
  if (from !== undefined && to !== undefined && from < to) return { preset: 'custom', from, to, follows: false };
  const preset = presets.find((name) => name === query.get('range')) ?? 'day';
  const date = query.get('date') ?? '';
  const day = isDay(date) ? date : dateAt(timeZone, nowMs);
  return { preset, ...periodOf(preset, day, timeZone), follows: day !== date };
}

/** The period of the calendar in which a day lies. */
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

/** The period before (-1) or after (1): for a custom range as much time. */
export function neighbour(range: Range, by: -1 | 1, timeZone?: string): Range {
  const { preset, from, to } = range;
  if (preset === 'custom') {
    const length = (to - from) * by;
    return { ...range, from: from + length, to: to + length };
  }
  const first = firstOfNext(preset, dateAt(timeZone, from), by);
  return { preset, ...periodOf(preset, first, timeZone), follows: false };
}

const leastMs = 60_000; // there is always something to ask for

/** What to compare with: the period before, and of it as much as has passed of this one. */
export function comparedWith(range: Range, nowMs: number, timeZone?: string): Range {
  const before = neighbour(range, -1, timeZone);
  if (nowMs >= range.to) return before;
  return { ...before, to: Math.min(before.to, before.from + Math.max(leastMs, nowMs - range.from)) };
}

export const isOver = ({ to }: Range, nowMs: number): boolean => to <= nowMs;

/** As it stands in the address; the period that is now has no date, and follows. */
export function queryFor({ preset, from, to }: Range, nowMs: number, timeZone?: string): RangeQuery {
  if (preset === 'custom') {
    return { range: undefined, date: undefined, from: new Date(from).toISOString(), to: new Date(to).toISOString() };
  }
  const isNow = from <= nowMs && nowMs < to;
  return { range: preset, date: isNow ? undefined : dateAt(timeZone, from), from: undefined, to: undefined };
}

/** The same time in another preset: today when the range has it, else its first day. */
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

/** Without the value while it is of another span: what was loaded last stays until the next is there, and when that fails. */
export function ofSpan<T extends { span: Span } | undefined>(load: Load<T>, { from, to }: Span): Load<T> {
  const { value, ...rest } = load;
  return value && value.span.from === from && value.span.to === to ? load : rest;
}
