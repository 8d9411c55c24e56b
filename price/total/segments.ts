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
  const segmentStarts = Uint16Array.from(
    { length: 24 * 60 },
    (_, minute) => boundaries.findLast((boundary) => boundary <= minute) ?? 0,
  );
  const known = new Map<number, Value>();
  return ({ day, minute }) => {
    const start = segmentStarts[minute]!;
    const key = day * 24 * 60 + start;
    let value = known.get(key);
    if (value === undefined) {
      value = evaluate({ date: dateOf(day), time: timeOf(start) });
      known.set(key, value);
    }
    return value;
  };
}

/** Local day, counted from 1970, and minute of the day. */
type LocalMinute = { day: number; minute: number };

export function localMinuteAt(timeZone: string, ms: number): LocalMinute {
  const wall = wallAt(timeZone, ms);
  const day = Math.floor(wall / dayMs);
  return { day, minute: Math.floor((wall - day * dayMs) / minuteMs) };
}

export const dateOf = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10);

export const timeOf = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}:00`;

const minuteOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
