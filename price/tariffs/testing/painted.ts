import type { CalendarPattern, Component, GroupName, Tariff } from '../eltariff.ts';
import type { LocalTime } from '../local-time.ts';

const secondsOf = (time: string): number => {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number);
  return hours * 3600 + minutes * 60 + seconds;
};

const daysSince1970 = (date: string): number => {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  return Date.UTC(year, month - 1, day) / 86_400_000;
};

/** Finds the components in force by brute force, as an independent check: lists every time range of each component. */
export function paintedComponents(
  tariff: Tariff,
  group: GroupName,
  at: LocalTime,
  patterns: readonly CalendarPattern[],
): Component[] {
  const day = daysSince1970(at.date);
  const weekday = ((((day + 3) % 7) + 7) % 7) + 1; // 1 January 1970 was a Thursday
  const namesOfDay = patterns
    .filter(
      ({ days = [], dates = [] }) => days.indexOf(weekday) >= 0 || dates.some((date) => daysSince1970(date) === day),
    )
    .map(({ reference }) => reference);
  const isDayOf = ({ fromIncluding, toExcluding }: Component['validPeriod']): boolean =>
    day >= daysSince1970(fromIncluding) && day < daysSince1970(toExcluding);

  const found: Component[] = [];
  for (const component of tariff[group].components) {
    if (!isDayOf(tariff.validPeriod) || !isDayOf(component.validPeriod)) continue;
    const stretches: [from: number, to: number][] = [];
    const periods = component.recurringPeriods ?? [];
    if (periods.length === 0) stretches.push([0, 86_400]);
    for (const { activePeriods } of periods) {
      for (const { fromIncluding, toExcluding, calendarPatternReferences } of activePeriods) {
        const { include, exclude } = calendarPatternReferences;
        if (include.length > 0 && !namesOfDay.some((name) => include.includes(name))) continue;
        if (namesOfDay.some((name) => exclude.includes(name))) continue;
        const from = secondsOf(fromIncluding);
        const to = secondsOf(toExcluding) || 86_400;
        if (from < to) stretches.push([from, to]);
        else stretches.push([from, 86_400], [0, to]);
      }
    }
    const second = secondsOf(at.time);
    if (stretches.some(([from, to]) => second >= from && second < to)) found.push(component);
  }
  return found;
}
