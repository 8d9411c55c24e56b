import { dateAt, instantOf, startOfDate, wallAt } from '#contract/time-zone.ts';
import { addDays, type CalendarDay, monthAfter, weekdayOf } from './calendar.ts';

/** How fine the ticks of a time axis are, which decides what is written at them. */
export type TickGrain = 'second' | 'minute' | 'day' | 'month' | 'year';
export type TimeTicks = { grain: TickGrain; ticks: number[] };

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const clockSteps: [grain: TickGrain, ms: number][] = [
  ...[1, 5, 15, 30].map((count): [TickGrain, number] => ['second', count * second]),
  ...[1, 5, 15, 30].map((count): [TickGrain, number] => ['minute', count * minute]),
  ...[1, 2, 3, 6, 12].map((count): [TickGrain, number] => ['minute', count * hour]),
];

const daySteps = [1, 2, 7, 14];
const monthSteps = [1, 2, 3, 6, 12, 24, 60, 120];

/** At most so many ticks, where the clocks and the calendar of a zone have round values. */
export function timeTicks(from: number, to: number, most: number, timeZone?: string): TimeTicks {
  const leastMs = (to - from) / Math.max(1, most);
  const clock = clockSteps.find(([, ms]) => ms >= leastMs);
  if (clock) return { grain: clock[0], ticks: clockTicks(from, to, clock[1], timeZone) };
  const days = daySteps.find((count) => count * day >= leastMs);
  if (days) return { grain: 'day', ticks: calendarTicks(from, to, (on) => nextDay(on, days), timeZone) };
  const months = monthSteps.find((count) => count * 30 * day >= leastMs) ?? monthSteps.at(-1)!;
  const ticks = calendarTicks(from, to, (on) => nextMonth(on, months), timeZone);
  return { grain: months < 12 ? 'month' : 'year', ticks };
}

function clockTicks(from: number, to: number, stepMs: number, timeZone: string | undefined): number[] {
  const ticks: number[] = [];
  for (let wall = Math.ceil(wallAt(timeZone, from) / stepMs) * stepMs; ; wall += stepMs) {
    const tick = instantOf(timeZone, wall);
    if (tick > to) return ticks;
    // A wall time that is skipped has the instant of the change, which is a tick already.
    if (tick >= from && tick > (ticks.at(-1) ?? Number.NEGATIVE_INFINITY)) ticks.push(tick);
  }
}

/** The ticks of days, each found from the one before; the first on or after the day of `from`. */
function calendarTicks(
  from: number,
  to: number,
  next: (on: CalendarDay) => CalendarDay,
  timeZone: string | undefined,
): number[] {
  const ticks: number[] = [];
  for (let on = next(addDays(dateAt(timeZone, from), -1)); ; on = next(on)) {
    const tick = startOfDate(timeZone, on);
    if (tick > to) return ticks;
    if (tick >= from) ticks.push(tick);
  }
}

/** The next day that begins a step: weeks begin on Mondays. */
function nextDay(on: CalendarDay, step: number): CalendarDay {
  let next = addDays(on, 1);
  while (!beginsStep(next, step)) next = addDays(next, 1);
  return next;
}

function beginsStep(on: CalendarDay, step: number): boolean {
  const number = Math.round(Date.parse(`${on}T00:00:00Z`) / day);
  if (step < 7) return number % step === 0;
  return weekdayOf(on) === 0 && Math.floor((number + 3) / 7) % (step / 7) === 0;
}

function nextMonth(on: CalendarDay, step: number): CalendarDay {
  let next = monthAfter(on, 1);
  while (monthNumber(next) % step !== 0) next = monthAfter(next, 1);
  return next;
}

const monthNumber = (on: CalendarDay): number => Number(on.slice(0, 4)) * 12 + Number(on.slice(5, 7)) - 1;
