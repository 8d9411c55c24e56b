import { type Calendar, holds, recurs } from '#contract/price/tariff-calendar.ts';
import type { Component, GroupName, Tariff } from './eltariff.ts';
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
