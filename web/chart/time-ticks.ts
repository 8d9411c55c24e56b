import { dayMs, hourMs, minuteMs } from '#contract/time.ts';
import { dateAt, instantOf, startOfDate, wallAt } from '#contract/time-zone.ts';
import { addDays, type CalendarDay, monthAfter, weekdayOf } from './calendar.ts';

/** The unit of the ticks of a time axis, which decides their labels. */
export type TickGrain = 'second' | 'minute' | 'day' | 'month' | 'year';
export type TimeTicks = { grain: TickGrain; ticks: number[] };

const clockSteps = [
  ...[1, 5, 15, 30].map((count) => count * 1000),
  ...[1, 5, 15, 30].map((count) => count * minuteMs),
  ...[1, 2, 3, 6, 12].map((count) => count * hourMs),
];

const daySteps = [1, 2, 7, 14];
const maxMonths = 120;
const monthSteps = [1, 2, 3, 6, 12, 24, 60, maxMonths];

/** Returns at most `maxTicks` ticks at round times of a time zone. */
export function timeTicks(from: number, to: number, maxTicks: number, timeZone?: string): TimeTicks {
  const minStepMs = (to - from) / Math.max(1, maxTicks);
  const clockMs = clockSteps.find((ms) => ms >= minStepMs);
  if (clockMs) {
    return { grain: clockMs < minuteMs ? 'second' : 'minute', ticks: clockTicks(from, to, clockMs, timeZone) };
  }
  const [first, last] = [dateAt(timeZone, from), dateAt(timeZone, to)];
  /** Returns the start of each day at which a step starts. */
  const calendarTicks = (on: CalendarDay, next: typeof addDays, isTick: (on: CalendarDay) => boolean): number[] => {
    const ticks: number[] = [];
    for (; on <= last; on = next(on, 1)) if (isTick(on)) ticks.push(startOfDate(timeZone, on));
    return ticks.filter((tick) => tick >= from);
  };
  const days = daySteps.find((count) => count * dayMs >= minStepMs);
  if (days) return { grain: 'day', ticks: calendarTicks(first, addDays, (on) => startsStep(on, days)) };
  const months = monthSteps.find((count) => count * 30 * dayMs >= minStepMs) ?? maxMonths;
  const ticks = calendarTicks(monthAfter(first, 0), monthAfter, (on) => monthNumber(on) % months === 0);
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

/** Whether a step starts on this day; weeks start on Monday. */
function startsStep(on: CalendarDay, step: number): boolean {
  const number = Math.round(Date.parse(`${on}T00:00:00Z`) / dayMs);
  if (step < 7) return number % step === 0;
  return weekdayOf(on) === 0 && Math.floor((number + 3) / 7) % (step / 7) === 0;
}

const monthNumber = (on: CalendarDay): number => Number(on.slice(0, 4)) * 12 + Number(on.slice(5, 7)) - 1;
