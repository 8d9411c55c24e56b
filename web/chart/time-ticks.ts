import { dateAt, instantOf, startOfDate, wallAt } from '#contract/time-zone.ts';
import { addDays, type CalendarDay, monthAfter, weekdayOf } from './calendar.ts';

/** The unit of the ticks of a time axis, which decides their labels. */
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
const maxMonths = 120;
const monthSteps = [1, 2, 3, 6, 12, 24, 60, maxMonths];

/** Returns at most `maxTicks` ticks at round times of a time zone. */
export function timeTicks(from: number, to: number, maxTicks: number, timeZone?: string): TimeTicks {
  const minStepMs = (to - from) / Math.max(1, maxTicks);
  const clock = clockSteps.find(([, ms]) => ms >= minStepMs);
  if (clock) return { grain: clock[0], ticks: clockTicks(from, to, clock[1], timeZone) };
  const days = daySteps.find((count) => count * day >= minStepMs);
  if (days) return { grain: 'day', ticks: calendarTicks(from, to, (on) => nextDay(on, days), timeZone) };
  const months = monthSteps.find((count) => count * 30 * day >= minStepMs) ?? maxMonths;
  const ticks = calendarTicks(from, to, (on) => nextMonth(on, months), timeZone);
  return { grain: months < 12 ? 'month' : 'year', ticks };
}

function clockTicks(from: number, to: number, stepMs: number, timeZone: string | undefined): number[] {
  const ticks: number[] = [];
  for (let wall = Math.ceil(wallAt(timeZone, from) / stepMs) * stepMs; ; wall += stepMs) {
    const tick = instantOf(timeZone, wall);
    if (tick > to) return ticks;
    // A wall time that the clock change skips maps to the instant of the change, which already has a tick.
    if (tick >= from && tick > (ticks.at(-1) ?? Number.NEGATIVE_INFINITY)) ticks.push(tick);
  }
}

/** Returns ticks at the start of days, each found from the one before. */
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

/** Returns the next day at which a step starts; weeks start on Monday. */
function nextDay(on: CalendarDay, step: number): CalendarDay {
  let next = addDays(on, 1);
  while (!startsStep(next, step)) next = addDays(next, 1);
  return next;
}

function startsStep(on: CalendarDay, step: number): boolean {
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
