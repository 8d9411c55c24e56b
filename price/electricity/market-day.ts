import { dayMs, parseTime } from '#contract/time.ts';
import { dateAt, startOfDate } from '#contract/time-zone.ts';
import type { Area } from './areas.ts';

/** The instants from the first of a market day to the first of the next: 23, 24 or 25 hours. */
export type Span = { start: number; end: number };

type Zone = Pick<Area, 'timeZone'>;

/** Since this day the market has quarter-hours. */
export const quartersFrom = '2025-10-01';
const mostKept = 5000;

const spans = new Map<string, Span>(); // finding them out again asks the calendar of the zone four times
const newest = new Map<string, Span & { date: string }>();

export function marketDay({ timeZone }: Zone, date: string): Span {
  const key = `${timeZone} ${date}`;
  let span = spans.get(key);
  if (!span) {
    span = { start: startOfDate(timeZone, date), end: startOfDate(timeZone, addDays(date, 1)) };
    if (spans.size === mostKept) spans.clear();
    spans.set(key, span);
  }
  return span;
}

/** The market day that an instant lies in. */
export function marketDateAt(area: Zone, at: number): string {
  const known = newest.get(area.timeZone);
  if (known && at >= known.start && at < known.end) return known.date;
  const date = dateAt(area.timeZone, at);
  newest.set(area.timeZone, { ...marketDay(area, date), date });
  return date;
}

export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);

export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const at = Date.parse(`${text}T00:00:00Z`);
  return isOfMarkets(at) && new Date(at).toISOString().startsWith(text); // 31 February would become 3 March
}

/** An instant of which there may be prices; undefined when it is none. */
export function readInstant(text: string): number | undefined {
  const at = parseTime(text);
  return at !== undefined && isOfMarkets(at) ? at : undefined;
}

// Around these, too, all dates have as many letters and are in order.
const isOfMarkets = (at: number): boolean => at >= Date.UTC(1900, 0) && at < Date.UTC(3000, 0);

/** From when on a market is asked for a day: the auction of the day before publishes about then, in winter an hour later. */
export const dueAt = (date: string): number => Date.parse(`${addDays(date, -1)}T11:00:00Z`);
