import { quarterMs } from '#contract/cloud/energy.ts';
import { dayMs } from '#contract/time.ts';
import { dateAt, instantOf, startOfDate, wallAt } from '#contract/time-zone.ts';
import { addDays, type CalendarDay, isDay, monthAfter } from '../../chart/calendar.ts';

/** A range of a bill: the start and end as days, and as a request states them. */
export type BillPeriod = {
  unit: 'month' | 'day';
  /** first day */
  from: CalendarDay;
  /** the day after the last */
  to: CalendarDay;
  isRunning: boolean;
  query: BillQuery;
};

type Between = { from: string; to: string };
export type BillQuery = { month: string } | Between;

export type DayPeriod = BillPeriod & { query: Between };

const settledMs = 40_000; // the ledger has the last readings of a quarter-hour by then

/** Returns the end of the last quarter of an hour whose energy is complete. */
export const lastQuarter = (nowMs: number): number => Math.floor((nowMs - settledMs) / quarterMs) * quarterMs;

const iso = (ms: number): string => new Date(ms).toISOString();

/** Returns the day of a bill, until the last complete quarter of an hour; undefined while it has none. */
export function dayPeriod(day: CalendarDay, nowMs: number, timeZone: string | undefined): DayPeriod | undefined {
  const end = startOfDate(timeZone, addDays(day, 1));
  const until = Math.min(lastQuarter(nowMs), end);
  const start = startOfDate(timeZone, day);
  if (until <= start) return undefined;
  const query = { from: iso(start), to: iso(until) };
  return { unit: 'day', from: day, to: addDays(day, 1), isRunning: nowMs < end, query };
}

export function monthPeriod(month: string, nowMs: number, timeZone: string | undefined): BillPeriod {
  const from = `${month}-01`;
  const to = monthAfter(from, 1);
  return { unit: 'month', from, to, isRunning: nowMs < startOfDate(timeZone, to), query: { month } };
}

/** Returns the period of an address: `day`, or `month`, or the current month. A future one becomes the current one. */
export function periodOf(asked: URLSearchParams, nowMs: number, timeZone: string | undefined): BillPeriod {
  const today = dateAt(timeZone, nowMs);
  const day = asked.get('day') ?? '';
  const ofDay = isDay(day) ? dayPeriod(day, nowMs, timeZone) : undefined;
  if (ofDay) return ofDay;
  const month = asked.get('month') ?? '';
  const isMonth = /^\d{4}-\d{2}$/.test(month) && isDay(`${month}-01`) && `${month}-01` <= today;
  return monthPeriod(isMonth ? month : today.slice(0, 7), nowMs, timeZone);
}

type Back = [back: 'before' | 'yearBefore', nowMs: number, timeZone: string | undefined];

/** Returns an earlier range of the same length by the calendar: as many days, until the same time of day. */
export function earlier(period: DayPeriod, ...from: Back): Between;
export function earlier(period: BillPeriod, ...from: Back): BillQuery;
export function earlier({ unit, from, isRunning, query }: BillPeriod, ...[back, nowMs, timeZone]: Back): BillQuery {
  const shift = (day: CalendarDay): CalendarDay => {
    if (unit === 'day') return back === 'before' ? addDays(day, -1) : addDays(day, -364); // the same weekday
    const first = monthAfter(day, back === 'before' ? -1 : -12);
    const shifted = addDays(first, Number(day.slice(8)) - 1);
    const next = monthAfter(first, 1);
    return shifted < next ? shifted : next; // the month may be shorter
  };
  if (!isRunning) {
    if (unit === 'month') return { month: shift(from).slice(0, 7) };
    return { from: shift(from), to: addDays(shift(from), 1) };
  }
  const until = 'to' in query ? Date.parse(query.to) : lastQuarter(nowMs);
  const wall = wallAt(timeZone, until);
  const midnight = Math.floor(wall / dayMs) * dayMs;
  const day = shift(iso(midnight).slice(0, 10));
  const monthEnd = monthAfter(shift(from), 1);
  const isShorter = unit === 'month' && day === monthEnd;
  const to = isShorter ? startOfDate(timeZone, monthEnd) : instantOf(timeZone, Date.parse(day) + wall - midnight);
  return { from: iso(startOfDate(timeZone, shift(from))), to: iso(to) };
}

/** Returns the address of the neighbouring period. */
export const neighbour = ({ unit, from }: BillPeriod, by: 1 | -1): Record<'month' | 'day', string | undefined> =>
  unit === 'day'
    ? { day: addDays(from, by), month: undefined }
    : { month: monthAfter(from, by).slice(0, 7), day: undefined };
