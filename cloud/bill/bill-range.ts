import type { getSiteBill } from '#contract/cloud/bill.ts';
import { maxBillDays } from '#contract/cloud/bill.ts';
import { quarterMs } from '#contract/cloud/energy.ts';
import { fieldProblem } from '#contract/problem.ts';
import type { RequestOf } from '#contract/route.ts';
import { dayMs, parseTime } from '#contract/time.ts';
import { dateAt, startOfDate } from '#contract/time-zone.ts';

export type BillRange = {
  from: number;
  to: number;
  /** the end of the range, or of the current quarter of an hour if that is earlier */
  until: number;
};

type RangeQuery = Pick<RequestOf<typeof getSiteBill>['query'], 'month' | 'from' | 'to'>;

/** Finds the range of a request: a month, or from and to. */
export function parseBillRange(query: RangeQuery, timeZone: string, now: number): BillRange {
  const { from, to } =
    query.from === undefined && query.to === undefined
      ? monthRange(query.month, timeZone, now)
      : givenRange(query, timeZone);
  const until = Math.min(to, Math.ceil((now + 1) / quarterMs) * quarterMs);
  if (from >= until) throw refused('from', 'must be in the past');
  return { from, to, until };
}

const monthRange = (month: string | undefined, timeZone: string, now: number) => {
  const first = `${month ?? dateAt(timeZone, now).slice(0, 7)}-01`;
  if (Number.isNaN(Date.parse(first))) throw refused('month', 'is not a month, such as 2026-10');
  return { from: startOfDate(timeZone, first), to: startOfDate(timeZone, nextMonth(first)) };
};

function givenRange(query: RangeQuery, timeZone: string): { from: number; to: number } {
  if (query.month !== undefined) throw refused('month', 'cannot be combined with from and to');
  if (query.from === undefined) throw refused('from', 'is missing; it is needed with to');
  const from = readInstant('from', query.from, timeZone);
  const to =
    query.to === undefined
      ? startOfDate(timeZone, nextMonth(dateAt(timeZone, from)))
      : readInstant('to', query.to, timeZone);
  if (from >= to) throw refused('from', 'must be before the end');
  if (to - from > maxBillDays * dayMs) throw refused('to', `must be at most ${maxBillDays} days after the start`);
  return { from, to };
}

/** Returns the first day of the month after a date. */
function nextMonth(date: string): string {
  const [year = 0, month = 0] = date.split('-').map(Number);
  return new Date(Date.UTC(year, month)).toISOString().slice(0, 10);
}

function readInstant(name: 'from' | 'to', text: string, timeZone: string): number {
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const ms = isDate ? dayOf(text, timeZone) : parseTime(text);
  if (ms === undefined) throw refused(name, 'must be a day YYYY-MM-DD, RFC 3339, or Unix seconds or milliseconds');
  if (ms % quarterMs !== 0) throw refused(name, 'must be on a quarter of an hour');
  return ms;
}

const dayOf = (date: string, timeZone: string): number | undefined =>
  parseTime(`${date}T00:00:00Z`) === undefined ? undefined : startOfDate(timeZone, date);

const refused = (name: string, message: string) => fieldProblem('unprocessable', `query.${name}`, message);
