import { type Calendar, holds, recurs } from '#contract/price/tariff-calendar.ts';
import { addDays } from '../electricity/market-day.ts';
import type { Component, GroupName, Interval, Tariff } from './eltariff.ts';
import type { LocalTime } from './zone-clock.ts';

/**
 * Returns the components of a group that are in force at this time; none when the tariff itself is not. Validity is that
 * of `validOn`, which differs from the date of the time when an expired tariff is assumed to apply.
 */
export function activeComponents(
  tariff: Tariff,
  group: GroupName,
  at: LocalTime,
  calendar: Calendar,
  validOn = at.date,
): Component[] {
  if (!holds(tariff.validPeriod, validOn)) return [];
  return tariff[group].components.filter(
    ({ validPeriod, recurringPeriods }) =>
      holds(validPeriod, validOn) &&
      (!recurringPeriods?.length || recurringPeriods.some((period) => recurs(period, at, calendar))),
  );
}

/**
 * Returns the day of the price list whose prices apply on a date: the date itself; after the list has expired, the same
 * day of its last year, or its last day where it did not cover that one. Undefined before the list begins.
 */
export function priceListDate(validPeriod: Interval, date: string): string | undefined {
  if (holds(validPeriod, date)) return date;
  if (date < validPeriod.toExcluding) return undefined;
  const lastDay = addDays(validPeriod.toExcluding, -1);
  const lastYear = Number(lastDay.slice(0, 4));
  const sameDay = [lastYear, lastYear - 1].map((year) => `${year}${date.slice(4)}`);
  return sameDay.find((day) => holds(validPeriod, day)) ?? lastDay;
}
