import type { CalendarPattern, Component, Tariff } from '#contract/price/eltariff.ts';
import { isReactive, shareOf } from '#contract/price/peak-share.ts';
import { type Calendar, createCalendar, holds, recurs } from '#contract/price/tariff-calendar.ts';
import { hourMs } from '#contract/time.ts';
import { startOfDate, wallAt } from '#contract/time-zone.ts';
import { emptyYear, firstDay, setHour, type YearHours } from './year.ts';

export type PriceGroupName = 'energyPrice' | 'powerPrice';

/** What a group of a tariff comes to in each hour of a year, with VAT. What follows the spot price is not in it. */
export function tariffYear(
  tariff: Tariff,
  patterns: readonly CalendarPattern[],
  group: PriceGroupName,
  year: number,
): YearHours {
  const { timeZone, validPeriod } = tariff;
  const components = tariff[group].components.filter((component) => !isReactive(component));
  const calendar = createCalendar(patterns);
  const hours = emptyYear(year);
  const end = startOfDate(timeZone, firstDay(year + 1));
  for (let ms = startOfDate(timeZone, firstDay(year)); ms < end; ms += hourMs) {
    const wall = new Date(wallAt(timeZone, ms)).toISOString();
    const at = { date: wall.slice(0, 10), time: wall.slice(11, 19) };
    const charged = holds(validPeriod, at.date) ? components.flatMap((each) => priceAt(each, at, calendar)) : [];
    const amount = charged.length > 0 ? charged.reduce((sum, price) => sum + price) : Number.NaN;
    setHour(hours, at, amount);
  }
  return hours;
}

/** None when it is not in force. A peak that counts half costs half. */
function priceAt(component: Component, at: { date: string; time: string }, calendar: Calendar): number[] {
  const { price, validPeriod, recurringPeriods: periods, peakIdentificationSettings: peak } = component;
  if (!price || !holds(validPeriod, at.date)) return [];
  if (!periods?.length) return [price.priceIncVat];
  const shares = periods
    .filter((period) => recurs(period, at, calendar))
    .map(({ reference }) => shareOf(reference, peak?.peakFunction ?? ''));
  return shares.length > 0 ? [price.priceIncVat * Math.max(...shares)] : [];
}
