import { quarterMs } from '#contract/cloud/energy.ts';
import { fieldProblem } from '#contract/problem.ts';
import { dayMs, hourMs, parseTime } from '#contract/time.ts';
import { dateAt, instantOf, startOfDate, wallAt } from '#contract/time-zone.ts';

export type Stretch = { from: number; to: number };

const maxDays = 366; // the longest range of prices

/** Reads the range of a question: the year before today by default. */
export function rangeOf(
  { from: first, to: last }: { from?: string; to?: string },
  { timeZone, now }: { timeZone: string; now: number },
): Stretch {
  const read = (name: 'from' | 'to', text: string): number => {
    const ms = parseTime(text);
    if (ms === undefined || ms % quarterMs !== 0)
      throw fieldProblem('unprocessable', `body.${name}`, 'must be on a quarter of an hour');
    return ms;
  };
  const today = startOfDate(timeZone, dateAt(timeZone, now));
  const to = Math.min(last === undefined ? today : read('to', last), Math.floor(now / quarterMs) * quarterMs);
  const from = first === undefined ? yearBefore(timeZone, to) : read('from', first);
  if (from >= to) throw fieldProblem('unprocessable', 'body.from', 'must be before the end, and in the past');
  if (to - from > maxDays * dayMs)
    throw fieldProblem('unprocessable', 'body.from', `must be at most ${maxDays} days before the end`);
  return { from, to };
}

function yearBefore(timeZone: string, ms: number): number {
  const date = new Date(wallAt(timeZone, ms));
  return instantOf(timeZone, date.setUTCFullYear(date.getUTCFullYear() - 1));
}

/** Splits a range at the local months. */
export function monthsOf({ from, to }: Stretch, timeZone: string): Stretch[] {
  const months: Stretch[] = [];
  for (let start = from; start < to; ) {
    const first = new Date(`${dateAt(timeZone, start).slice(0, 7)}-01`);
    const next = new Date(first.setUTCMonth(first.getUTCMonth() + 1)).toISOString().slice(0, 10);
    const end = Math.min(to, startOfDate(timeZone, next));
    months.push({ from: start, to: end });
    start = end;
  }
  return months;
}

const publishedAtHour = 14; // local; the European day-ahead markets publish at about 13:00 in Central Europe

/** Lists when prices are published, as quarters: at the beginning those of the day, then each afternoon those of the next day. */
export function publishedIn({ from, to }: Stretch, timeZone: string): Map<number, number> {
  const quarterOf = (ms: number): number => (ms - from) / quarterMs;
  const startAfter = (days: number, ms: number): number =>
    startOfDate(timeZone, dateAt(timeZone, startOfDate(timeZone, dateAt(timeZone, ms)) + days * dayMs + 12 * hourMs));
  const published = new Map([[0, quarterOf(startAfter(1, from))]]);
  for (let day = startOfDate(timeZone, dateAt(timeZone, from)); day < to; day = startAfter(1, day)) {
    const at = day + publishedAtHour * hourMs;
    if (at >= from && at < to) published.set(quarterOf(at), quarterOf(startAfter(2, day)));
  }
  return published;
}
