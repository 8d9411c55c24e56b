import { fieldProblem, type ProblemCode } from '#contract/problem.ts';
import { minuteMs } from '#contract/time.ts';
import { addDays, instantOf, offsetAt, wallAt } from '#contract/time-zone.ts';
import { readInstant } from '../electricity/market-day.ts';
import type { Interval } from './eltariff.ts';

export type LocalTime = {
  date: string;
  /** HH:MM:SS */
  time: string;
};

export function localTimeAt(timeZone: string, ms: number): LocalTime {
  const shown = new Date(wallAt(timeZone, ms)).toISOString();
  return { date: shown.slice(0, 10), time: shown.slice(11, 19) };
}

export const yearOf = (date: string): number => Number(date.slice(0, 4));

export const lastYearOf = ({ toExcluding }: Interval): number => yearOf(addDays(toExcluding, -1));

export const yearsOf = (interval: Interval): number[] => {
  const first = yearOf(interval.fromIncluding);
  return Array.from({ length: Math.max(0, lastYearOf(interval) - first + 1) }, (_, index) => first + index);
};

const wallOf = ({ date, time }: LocalTime): number => Date.parse(`${date}T${time}Z`);

/** Returns the instant of a local time: the first of two for a repeated time; a skipped time moves forward by the gap. */
export function instantOfLocal(timeZone: string, local: LocalTime): number {
  const wall = wallOf(local);
  const instant = instantOf(timeZone, wall);
  return wallAt(timeZone, instant) === wall ? instant : wall - offsetAt(timeZone, instant - 1);
}

// An unescaped + in a query arrives as a space.
const written = /^(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}:\d{2})(:\d{2})?(?:[.,]\d{1,9})?([Zz]|[+ -]\d{2}:?\d{2})?)?$/;
const firstYear = 1900; // before 1900 many offsets had odd seconds
const lastYear = 2999;

/** Parses a date and time, local or with an offset; a date alone means midnight. */
export function readLocalTime(
  timeZone: string,
  text: string,
  field: string,
  code: ProblemCode = 'unprocessable',
): LocalTime {
  const [, date = '', minutes = '00:00', seconds = ':00', offset] = written.exec(text) ?? [];
  const local = { date, time: minutes + seconds };
  const year = yearOf(date);
  const ahead = offset ? offsetMs(offset) : 0;
  if (exists(local) && year >= firstYear && year <= lastYear && ahead !== undefined)
    return localTimeAt(timeZone, offset ? wallOf(local) - ahead : instantOfLocal(timeZone, local));
  const range = `between ${firstYear} and ${lastYear} such as 2026-01-15T08:30:00`;
  throw fieldProblem(code, field, `must be a date and time ${range}; an offset may follow`);
}

const unixTime = /^\d{9,}(\.\d+)?$/; // fewer digits could be meant as a date

/** Parses Unix seconds or milliseconds, or a local time. */
export function readTime(timeZone: string, text: string, field: string): LocalTime {
  const instant = unixTime.test(text) ? readInstant(text) : undefined;
  return instant === undefined ? readLocalTime(timeZone, text, field) : localTimeAt(timeZone, instant);
}

/** Rejects 31 February and 24:00, which Date.parse accepts. */
function exists(local: LocalTime): boolean {
  const wall = wallOf(local);
  return !Number.isNaN(wall) && new Date(wall).toISOString().startsWith(`${local.date}T${local.time}`);
}

function offsetMs(offset: string): number | undefined {
  if (/^z$/i.test(offset)) return 0;
  const hours = Number(offset.slice(1, 3));
  const minutes = Number(offset.slice(-2));
  if (hours > 14 || minutes > 59) return undefined;
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * minuteMs;
}

export const writeLocalTime = ({ date, time }: LocalTime): string => `${date}T${time}`;
