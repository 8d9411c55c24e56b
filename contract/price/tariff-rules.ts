import type { CalendarPattern, Component, Interval, RecurringPeriod } from './eltariff.ts';

/** Which days a name of the price list stands for. */
export type Calendar = {
  /** A name that nobody defined stands for no day. */
  matches(reference: string, date: string): boolean;
};

export function createCalendar(patterns: readonly CalendarPattern[]): Calendar {
  const known = new Map(
    patterns.map(({ reference, days, dates }) => [reference, { days: new Set(days), dates: new Set(dates) }]),
  );
  return {
    matches(reference, date) {
      const pattern = known.get(reference);
      return pattern !== undefined && (pattern.dates.has(date) || pattern.days.has(weekdayOf(date)));
    },
  };
}

/** 1 is Monday, 7 is Sunday. */
const weekdayOf = (date: string): number => new Date(date).getUTCDay() || 7;

/** Dates are compared as text, which orders them. */
export const isValidOn = ({ fromIncluding, toExcluding }: Interval, date: string): boolean =>
  fromIncluding <= date && date < toExcluding;

export const isActiveAt = (
  { activePeriods }: RecurringPeriod,
  at: { date: string; time: string },
  calendar: Calendar,
): boolean =>
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

/** How much of a peak counts by where it is: in max(peak(high),peak(low)/2) one of low counts half. */
export function peakShareOf(reference: string, peakFunction: string): number {
  const found = [...peakFunction.matchAll(/peak\((\w+)\)\s*([/*])\s*([\d.]+)/g)].find(([, name]) => name === reference);
  if (!found) return 1;
  return found[2] === '/' ? 1 / Number(found[3]) : Number(found[3]);
}

/** Reactive power is charged for beside the active power, which kilowatts are. */
export const isReactive = ({ name, reference, peakIdentificationSettings: peak }: Component): boolean =>
  /rea[ck]ti/i.test(`${name} ${reference} ${peak?.peakFunction}`);

/** Which rate of the Swedish energy tax was applied: that of a year, because the one of `unknownYear` is not known. */
type TaxRule = { year: number; isReduced: boolean; unknownYear?: number };

const rates = { full: 'full rate', reduced: 'reduced in the north' };

/** As it stands in a part of a price. */
export function writeTaxRule({ year, isReduced, unknownYear }: TaxRule): string {
  const words = [`energy tax of ${year}`, isReduced ? rates.reduced : rates.full];
  if (unknownYear !== undefined) words.push(`that of ${unknownYear} is not known`);
  return words.join(', ');
}

/** For pages in other languages; undefined when it is another rule. */
export function readTaxRule(text: string): TaxRule | undefined {
  const [, year, rate, unknownYear] =
    /^energy tax of (\d+), ([a-z ]+)(?:, that of (\d+) is not known)?$/.exec(text) ?? [];
  if (rate !== rates.full && rate !== rates.reduced) return undefined;
  const isReduced = rate === rates.reduced;
  return { year: Number(year), isReduced, ...(unknownYear && { unknownYear: Number(unknownYear) }) };
}
