import { fieldProblem, type Problem, type ProblemCode } from '#contract/problem.ts';
import { minuteMs } from '#contract/time.ts';
import { instantOf, offsetAt, wallAt } from '#contract/time-zone.ts';

/** What the clocks of a zone show. */
export type LocalTime = {
  date: string;
  /** HH:MM:SS */
  time: string;
};

/** What the clocks of a time zone show at an instant. */
export function localTimeAt(timeZone: string, ms: number): LocalTime {
  const shown = new Date(wallAt(timeZone, ms)).toISOString();
  return { date: shown.slice(0, 10), time: shown.slice(11, 19) };
}

const wallOf = ({ date, time }: LocalTime): number => Date.parse(`${date}T${time}Z`);

/** When the clocks show this. A time that occurs twice is the first; one that they skip is that much after the jump. */
export function instantOfLocal(timeZone: string, local: LocalTime): number {
  const wall = wallOf(local);
  const instant = instantOf(timeZone, wall);
  return wallAt(timeZone, instant) === wall ? instant : wall - offsetAt(timeZone, instant - 1);
}

// A + in a query arrives as a space.
const written = /^(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}:\d{2})(:\d{2})?(?:[.,]\d{1,9})?([Zz]|[+ -]\d{2}:?\d{2})?)?$/;
const firstYear = 1900; // before, the clocks of many places differed by odd seconds
const lastYear = 2999;

/** A date and time as a caller writes it: by the clocks of the zone, or with an offset. A date alone is its midnight. */
export function readLocalTime(
  timeZone: string,
  text: string,
  field: string,
  code: ProblemCode = 'unprocessable',
): LocalTime {
  const [, date = '', minutes = '00:00', seconds = ':00', offset] = written.exec(text) ?? [];
  const local = { date, time: minutes + seconds };
  const year = Number(date.slice(0, 4));
  const ahead = offset ? offsetMs(offset) : 0;
  if (!exists(local) || year < firstYear || year > lastYear || ahead === undefined) throw wrong(code, field);
  return localTimeAt(timeZone, offset ? wallOf(local) - ahead : instantOfLocal(timeZone, local));
}

const wrong = (code: ProblemCode, field: string): Problem =>
  fieldProblem(
    code,
    field,
    `must be a date and time between ${firstYear} and ${lastYear} such as 2026-01-15T08:30:00; an offset may follow`,
  );

/** Date.parse takes 31 February for 3 March, and 24:00 for the next day. */
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
