import type { Calendar } from './calendar.ts';
import type { Component, GroupName, Interval, RecurringPeriod, Tariff } from './eltariff.ts';
import type { LocalTime } from './zone-clock.ts';

/** The components of a group that are in force at this time; none when the tariff itself is not. */
export function activeComponents(tariff: Tariff, group: GroupName, at: LocalTime, calendar: Calendar): Component[] {
  if (!holds(tariff.validPeriod, at.date)) return [];
  return tariff[group].components.filter(
    ({ validPeriod, recurringPeriods }) =>
      holds(validPeriod, at.date) &&
      (!recurringPeriods?.length || recurringPeriods.some((period) => recurs(period, at, calendar))),
  );
}

/** Dates are compared as text, which orders them. */
export const holds = ({ fromIncluding, toExcluding }: Interval, date: string): boolean =>
  fromIncluding <= date && date < toExcluding;

export const recurs = ({ activePeriods }: RecurringPeriod, at: LocalTime, calendar: Calendar): boolean =>
  activePeriods.some(
    ({ fromIncluding, toExcluding, calendarPatternReferences: { include, exclude } }) =>
      isBetween(fromIncluding, toExcluding, at.time) &&
      (include.length === 0 || include.some((reference) => calendar.matches(reference, at.date))) &&
      !exclude.some((reference) => calendar.matches(reference, at.date)),
  );

const midnight = '00:00:00';

/** An end at midnight is the end of the day; one before the start wraps, and both parts belong to the day of the time. */
function isBetween(from: string, to: string, time: string): boolean {
  if (to === midnight) return from <= time;
  return from < to ? from <= time && time < to : from <= time || time < to;
}
