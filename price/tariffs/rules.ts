import { isReactive } from '#contract/price/peak-share.ts';
import { holds } from '#contract/price/tariff-calendar.ts';
import { Problem } from '#contract/problem.ts';
import type { Component, Tariff } from './eltariff.ts';
import { fuseSizesOf, readFuseSize } from './fuse-sizes.ts';
import { type PricingRule, pricingRules } from './pricing-rules.ts';
import type { TariffProvider } from './provider.ts';
import { holidayDates, kindsAmong } from './swedish-holidays.ts';
import type { LocalTime } from './zone-clock.ts';

/** The power tariff of a provider as the older interface tells it. */
export type RuleRecord = {
  provider: string;
  country: 'SE';
  currency: string;
  /** those that pay by these rules */
  fuse_sizes: string[];
  pricing_rules: Record<string, PricingRule>;
  num_peaks: number;
  holidays: string[];
  note: string;
  /** set, with the days of the price list, when the list is not valid on the day */
  assumed?: true;
  valid_from?: string;
  valid_to?: string;
};

type Choice = {
  date: string;
  /** such as 16A; the usual house when left out */
  fuseSize?: string;
};

/** Undefined when the provider has no power tariff. A fuse size that it has no tariff for is a Problem. */
export function rulesOf(provider: TariffProvider, { date, fuseSize }: Choice): RuleRecord | undefined {
  const tariffs = priceListOf(provider, date);
  if (tariffs.length === 0) return undefined;
  const tariff = fuseSize === undefined ? usual(tariffs) : ofSize(tariffs, fuseSize);
  const parts = powerParts(tariff);
  const charge = chargeOf(tariff);
  return {
    provider: provider.id,
    country: 'SE',
    currency: parts[0]!.price?.currency ?? 'SEK',
    fuse_sizes: sizesOf(tariffs)
      .filter((size) => chargeOf(fitting(tariffs, size)!) === charge)
      .map(written),
    pricing_rules: pricingRules(parts, provider.calendarPatterns, tariff.validPeriod),
    num_peaks: parts[0]!.peakIdentificationSettings?.numberOfPeaksForAverageCalculation ?? 1,
    holidays: holidaysAround(yearOf(date), provider),
    note: noteOf(tariff, provider),
    ...(!holds(tariff.validPeriod, date) && {
      assumed: true as const,
      valid_from: tariff.validPeriod.fromIncluding,
      valid_to: tariff.validPeriod.toExcluding,
    }),
  };
}

/** Whether a provider charges for power. */
export const hasPowerTariff = (provider: TariffProvider): boolean => powerTariffs(provider).length > 0;

/** The fuses that a provider has power tariffs for. */
export const fuseSizesIn = (provider: TariffProvider): string[] => sizesOf(powerTariffs(provider)).map(written);

const powerTariffs = ({ tariffs }: TariffProvider): Tariff[] =>
  tariffs.filter((tariff) => tariff.direction === 'consumption' && powerParts(tariff).length > 0);

/** The power tariffs in force on a day, else those of its year, else the newest. */
function priceListOf(provider: TariffProvider, date: string): Tariff[] {
  const priced = powerTariffs(provider);
  const year = yearOf(date);
  const newest = Math.max(...priced.map(lastYear));
  const lists = [
    priced.filter(({ validPeriod }) => holds(validPeriod, date)),
    priced.filter((tariff) => firstYear(tariff) <= year && year <= lastYear(tariff)),
    priced.filter((tariff) => lastYear(tariff) === newest),
  ];
  return lists.find(({ length }) => length > 0) ?? [];
}

const sizesOf = (tariffs: readonly Tariff[]): number[] =>
  [...new Set(tariffs.flatMap(fuseSizesOf))].sort((one, other) => one - other);

const written = (size: number): string => `${size}A`;

/** The same for tariffs that charge alike for power, whatever they call it. */
const chargeOf = (tariff: Tariff): string =>
  JSON.stringify(
    powerParts(tariff).map(({ validPeriod, price, recurringPeriods, peakIdentificationSettings }) => [
      validPeriod,
      price,
      recurringPeriods,
      peakIdentificationSettings,
    ]),
  );

/** What a kilowatt of active power costs; reactive power is another matter, and what costs nothing is no rule. */
const powerParts = ({ powerPrice }: Tariff): Component[] =>
  powerPrice.components.filter((component) => (component.price?.priceIncVat ?? 0) > 0 && !isReactive(component));

const yearOf = (date: string): number => Number(date.slice(0, 4));
const firstYear = ({ validPeriod }: Tariff): number => yearOf(validPeriod.fromIncluding);
const lastYear = ({ validPeriod }: Tariff): number =>
  new Date(Date.parse(validPeriod.toExcluding) - 1).getUTCFullYear();

const isFlat = ({ name, product }: Tariff): boolean => /lägenhet|^lgh|-lgh/i.test(`${name} ${product}`);

/** Of a house with the smallest fuse: operators list it first, behind flats if there are any. */
const usual = (tariffs: readonly Tariff[]): Tariff => tariffs.find((tariff) => !isFlat(tariff)) ?? tariffs[0]!;

/** The usual tariff for a fuse. */
function fitting(tariffs: readonly Tariff[], size: number): Tariff | undefined {
  const those = tariffs.filter((tariff) => fuseSizesOf(tariff).includes(size));
  return those.length > 0 ? usual(those) : undefined;
}

function ofSize(tariffs: readonly Tariff[], text: string): Tariff {
  const size = readFuseSize(text);
  const found = size === undefined ? undefined : fitting(tariffs, size);
  if (found) return found;
  const known = sizesOf(tariffs).map(written).join(', ') || 'none';
  throw new Problem('unprocessable', `There is no tariff for a fuse of ${text.slice(0, 20)}; known sizes: ${known}.`);
}

/** Of three years: winters, and many price lists, go over the end of one. */
const holidaysAround = (year: number, provider: TariffProvider): string[] =>
  [year - 1, year, year + 1].flatMap((each) => holidaysOf(each, provider));

/** Those that are listed; of a year that is not, the same kinds, and the usual ones where nothing is listed at all. */
function holidaysOf(year: number, { calendarPatterns }: TariffProvider): string[] {
  const listed = calendarPatterns.flatMap(({ dates = [] }) => dates);
  const ofYear = listed.filter((date) => yearOf(date) === year);
  if (ofYear.length > 0) return [...new Set(ofYear)].sort();
  return holidayDates(year, listed.length > 0 ? kindsAmong(listed) : ['public_holidays', 'eves']);
}

function noteOf({ name, validPeriod, billingPeriod }: Tariff, { source }: TariffProvider): string {
  const period = billingPeriod === 'P1Y' ? 'year' : 'month';
  const valid = `${validPeriod.fromIncluding} up to ${validPeriod.toExcluding}`;
  const first = `${name}, ${valid}: for a kilowatt and ${period}, with VAT. Rules that hold at the same time add up.`;
  return [first, source?.caveat].filter(Boolean).join(' ');
}

export type AppliedRule = { rule: string; description: string; price: number; multiplier: number };

/** The rules that hold at a time, with the price of a peak that counts whole. */
export function appliedRules({ pricing_rules, holidays }: RuleRecord, at: LocalTime): AppliedRule[] {
  const month = Number(at.date.slice(5, 7));
  const minute = at.time.slice(0, 5);
  return Object.entries(pricing_rules)
    .filter(
      ([, { season, time_range, days }]) =>
        isWithin(month, season.start_month, season.end_month + 1) &&
        isWithin(minute, time_range.start, time_range.end) &&
        isOn(days, at.date, holidays.includes(at.date)),
    )
    .map(([rule, { description, price_per_kw, multiplier = 1 }]) => ({
      rule,
      description,
      price: price_per_kw / multiplier,
      multiplier,
    }));
}

/** In a range that goes around when it ends before it begins. */
const isWithin = <Value extends number | string>(value: Value, from: Value, to: Value): boolean =>
  from < to ? from <= value && value < to : from <= value || value < to;

function isOn(days: string, date: string, isHoliday: boolean): boolean {
  const weekday = new Date(date).getUTCDay() || 7;
  const isWeekend = weekday > 5;
  if (days === 'holidays') return isHoliday;
  if (days === 'holidays_on_weekdays') return isHoliday && !isWeekend;
  if (isHoliday && days.endsWith('non_holidays')) return false;
  if (isHoliday && days.endsWith('and_holidays')) return true;
  switch (days.replace(/_?(non|and)_holidays$/, '')) {
    case '':
    case 'all_days':
      return true;
    case 'weekdays':
      return !isWeekend;
    case 'weekends':
      return isWeekend;
    default:
      return days.slice('days_'.length).includes(String(weekday));
  }
}
