import type { Component } from '../tariffs/eltariff.ts';
import type { LocalTime } from '../tariffs/zone-clock.ts';
import { minuteOf, timeOf, type Wall } from './wall-clock.ts';

/** The minutes of the day at which any of these components may begin or end. */
export function boundariesOf(components: readonly Component[]): number[] {
  const minutes = components
    .flatMap(({ recurringPeriods = [] }) => recurringPeriods)
    .flatMap(({ activePeriods }) => activePeriods)
    .flatMap(({ fromIncluding, toExcluding }) => [minuteOf(fromIncluding), minuteOf(toExcluding)]);
  return [...new Set([0, ...minutes])].sort((a, b) => a - b);
}

/** What holds at a time, evaluated once for each stretch of a day between two boundaries. */
export function createSegments<Value>(
  boundaries: readonly number[],
  evaluate: (at: LocalTime) => Value,
): (wall: Wall) => Value {
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
