import type { CalendarPattern, Component, RecurringPeriod } from './eltariff.ts';
import type { Interval } from './interval.ts';

/** Resolves the day types of a price list, such as weekdays or holidays. */
export type Calendar = ReturnType<typeof createCalendar>;

export function createCalendar(patterns: readonly CalendarPattern[]) {
  const known = new Map(
    patterns.map(({ reference, days, dates }) => [reference, { days: new Set(days), dates: new Set(dates) }]),
  );
  return {
    /** Tells whether a date is of a day type; an undefined type matches no date. */
    matches(reference: string, date: string): boolean {
      const pattern = known.get(reference);
      return pattern !== undefined && (pattern.dates.has(date) || pattern.days.has(weekdayOf(date)));
    },
  };
}

/** Returns 1 for Monday to 7 for Sunday. */
const weekdayOf = (date: string): number => new Date(date).getUTCDay() || 7;

/** Dates compare as text. */
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

/** An end at midnight is the end of the day; an end before the start wraps, and both parts count for the same date. */
function isBetween(from: string, to: string, time: string): boolean {
  if (to === midnight) return from <= time;
  return from < to ? from <= time && time < to : from <= time || time < to;
}

/** Returns the share of a peak that counts: in max(peak(high),peak(low)/2) a low peak counts half. */
export function peakShareOf(reference: string, peakFunction: string): number {
  const found = [...peakFunction.matchAll(/peak\((\w+)\)\s*([/*])\s*([\d.]+)/g)].find(([, name]) => name === reference);
  if (!found) return 1;
  return found[2] === '/' ? 1 / Number(found[3]) : Number(found[3]);
}

export const isReactive = ({ name, reference, peakIdentificationSettings: peak }: Component): boolean =>
  /rea[ck]ti/i.test(`${name} ${reference} ${peak?.peakFunction}`);

/** The applied rate of the Swedish energy tax; `unknownYear` is set if that of another year stands in for it. */
type TaxRule = { year: number; isReduced: boolean; unknownYear?: number };

const rates = { full: 'full rate', reduced: 'reduced in the north' };

/** Writes the rule as text for a price part. */
export function writeTaxRule({ year, isReduced, unknownYear }: TaxRule): string {
  const words = [`energy tax of ${year}`, isReduced ? rates.reduced : rates.full];
  if (unknownYear !== undefined) words.push(`that of ${unknownYear} is not known`);
  return words.join(', ');
}

/** Parses the text, so that pages can translate it; undefined for other rules. */
export function readTaxRule(text: string): TaxRule | undefined {
  const [, year, rate, unknownYear] =
    /^energy tax of (\d+), ([a-z ]+)(?:, that of (\d+) is not known)?$/.exec(text) ?? [];
  if (rate !== rates.full && rate !== rates.reduced) return undefined;
  const isReduced = rate === rates.reduced;
  return { year: Number(year), isReduced, ...(unknownYear && { unknownYear: Number(unknownYear) }) };
}
