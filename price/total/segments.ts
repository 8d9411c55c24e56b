import { dayMs, minuteMs } from '#contract/time.ts';
import { wallAt } from '#contract/time-zone.ts';
import type { Component } from '../tariffs/eltariff.ts';
import type { LocalTime } from '../tariffs/local-time.ts';

/** Returns the minutes of the day at which any component begins or ends. */
export function boundariesOf(components: readonly Component[]): number[] {
  const minutes = components
    .flatMap(({ recurringPeriods = [] }) => recurringPeriods)
    .flatMap(({ activePeriods }) => activePeriods)
    .flatMap(({ fromIncluding, toExcluding }) => [minuteOf(fromIncluding), minuteOf(toExcluding)]);
  return [...new Set([0, ...minutes])].sort((a, b) => a - b);
}

/** Returns a lookup that evaluates once per day and segment between two boundaries. */
export function createSegmentLookup<Value>(
  boundaries: readonly number[],
  evaluate: (at: LocalTime) => Value,
): (wall: LocalMinute) => Value {
  const segmentOf = Uint8Array.from({ length: 24 * 60 }, (_, minute) =>
    boundaries.findLastIndex((boundary) => boundary <= minute),
  );
  const days = new Map<string, Value[]>();
  return ({ date, minute }) => {
    let day = days.get(date);
    if (!day) {
      day = [];
      days.set(date, day);
    }
    const segment = segmentOf[minute]!;
    day[segment] ??= evaluate({ date, time: timeOf(boundaries[segment]!) });
    return day[segment];
  };
}

/** Local date as YYYY-MM-DD and minute of the day. */
type LocalMinute = { date: string; minute: number };

export function localMinuteAt(timeZone: string, ms: number): LocalMinute {
  const wall = wallAt(timeZone, ms);
  const day = Math.floor(wall / dayMs);
  return { date: dateOf(day), minute: Math.floor((wall - day * dayMs) / minuteMs) };
}

const maxDates = 20_000;
const dates = new Map<number, string>(); // by days since 1970; a day has many intervals

function dateOf(day: number): string {
  let date = dates.get(day);
  if (date === undefined) {
    if (dates.size === maxDates) dates.clear();
    date = new Date(day * dayMs).toISOString().slice(0, 10);
    dates.set(day, date);
  }
  return date;
}

/** Formats a minute of the day as HH:MM:SS. */
export const timeOf = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}:00`;

/** Parses the minute of the day from HH:MM:SS. */
const minuteOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
