import type { getTariffRules } from '#contract/price/legacy.ts';
import { isReactive, isValidOn } from '#contract/price/tariff-rules.ts';
import { Problem } from '#contract/problem.ts';
import type { ReplyOf } from '#contract/route.ts';
import type { Component, Tariff } from './eltariff.ts';
import { holidayDates, kindsAmong } from './holidays.ts';
import { type LocalTime, lastYearOf, yearOf, yearsOf } from './local-time.ts';
import { pricingRules } from './pricing-rules.ts';
import { caveatOf, type TariffProvider } from './provider.ts';
import { isReplaced } from './related-lists.ts';

/** The power tariff of a provider in the form of the legacy interface. */
export type PowerRules = ReplyOf<typeof getTariffRules>;

export type Choice = {
  date: string;
  /** such as 16A; by default the smallest house */
  fuseSize?: string;
};

/** Returns undefined when the provider has no power tariff on this day; throws a Problem for a fuse size without a tariff. */
export function powerRulesOf(provider: TariffProvider, { date, fuseSize }: Choice): PowerRules | undefined {
  const tariffs = priceListOf(provider, date);
  const first = defaultTariff(tariffs);
  if (!first) return undefined;
  const tariff = fuseSize === undefined ? first : getTariffForFuse(provider, tariffs, { date, fuseSize });
  const parts = powerParts(tariff);
  const [main] = parts;
  const charge = chargeOf(tariff);
  return {
    provider: provider.id,
    country: 'SE',
    currency: main?.price?.currency ?? 'SEK',
    fuse_sizes: sizesOf(tariffs)
      .filter((size) => chargeOf(tariffForFuse(tariffs, size)) === charge)
      .map(formatFuse),
    pricing_rules: pricingRules(parts, provider.calendarPatterns, tariff.validPeriod),
    num_peaks: main?.peakIdentificationSettings?.numberOfPeaksForAverageCalculation ?? 1,
    holidays: holidaysAround(yearOf(date), provider),
    note: noteOf(tariff, provider),
    ...(!isValidOn(tariff.validPeriod, date) && {
      assumed: true,
      valid_from: tariff.validPeriod.fromIncluding,
      valid_to: tariff.validPeriod.toExcluding,
    }),
  };
}

export const hasPowerTariff = (provider: TariffProvider): boolean => powerTariffs(provider).length > 0;

export const fuseSizesIn = (provider: TariffProvider): string[] => sizesOf(powerTariffs(provider)).map(formatFuse);

const powerTariffs = ({ tariffs }: TariffProvider): Tariff[] =>
  tariffs.filter((tariff) => tariff.direction === 'consumption' && powerParts(tariff).length > 0);

/** Lists the power tariffs in force on a day and expired ones that none replaced; before the first list, those of its year or the newest. */
function priceListOf(provider: TariffProvider, date: string): Tariff[] {
  const priced = powerTariffs(provider);
  const year = yearOf(date);
  const newest = Math.max(...priced.map(({ validPeriod }) => lastYearOf(validPeriod)));
  const known = knownOn(date, priced, provider);
  if (known.length > 0 || priced.some(({ validPeriod }) => validPeriod.toExcluding <= date)) return known;
  const ofYear = priced.filter(({ validPeriod }) => yearsOf(validPeriod).includes(year));
  return ofYear.length > 0 ? ofYear : priced.filter(({ validPeriod }) => lastYearOf(validPeriod) === newest);
}

function knownOn(date: string, tariffs: readonly Tariff[], provider: TariffProvider): Tariff[] {
  const lastKnown = tariffs
    .filter((tariff) => tariff.validPeriod.toExcluding <= date && !isReplaced(provider, tariff, date))
    .sort((one, other) => other.validPeriod.toExcluding.localeCompare(one.validPeriod.toExcluding));
  return [...tariffs.filter(({ validPeriod }) => isValidOn(validPeriod, date)), ...lastKnown];
}

const sizesOf = (tariffs: readonly Tariff[]): number[] =>
  [...new Set(tariffs.flatMap(fuseSizesOf))].sort((one, other) => one - other);

const formatFuse = (size: number): string => `${size}A`;

/** Returns a key that is equal for tariffs with equal power charges. */
const chargeOf = (tariff: Tariff | undefined): string =>
  JSON.stringify(
    tariff &&
      powerParts(tariff).map(({ validPeriod, price, recurringPeriods, peakIdentificationSettings: peak }) => [
        validPeriod,
        price,
        recurringPeriods,
        peak,
      ]),
  );

/** Lists the components that charge for active power; free and reactive ones are left out. */
const powerParts = ({ powerPrice }: Tariff): Component[] =>
  powerPrice.components.filter((component) => (component.price?.priceIncVat ?? 0) > 0 && !isReactive(component));

const isFlat = ({ name, product }: Tariff): boolean => /lägenhet|^lgh|-lgh/i.test(`${name} ${product}`);

/** Returns the tariff of a house with the smallest fuse: operators list it first, after flats. */
const defaultTariff = (tariffs: readonly Tariff[]): Tariff | undefined =>
  tariffs.find((tariff) => !isFlat(tariff)) ?? tariffs[0];

const tariffForFuse = (tariffs: readonly Tariff[], size: number): Tariff | undefined =>
  defaultTariff(tariffs.filter((tariff) => fuseSizesOf(tariff).includes(size)));

/** Finds the tariff for a fuse size such as 16A, 16 A or 16; one without a power charge if no other is for this size. */
function getTariffForFuse(
  provider: TariffProvider,
  priced: readonly Tariff[],
  { date, fuseSize }: Required<Choice>,
): Tariff {
  const [, size] = /^\s*(\d{1,4})\s*A?\s*$/i.exec(fuseSize) ?? [];
  const consumption = provider.tariffs.filter(({ direction }) => direction === 'consumption');
  const tariffs = [...priced, ...knownOn(date, consumption, provider)];
  const found = tariffForFuse(priced, Number(size)) ?? tariffForFuse(tariffs, Number(size));
  if (found) return found;
  const known = sizesOf(tariffs).map(formatFuse).join(', ') || 'none';
  throw new Problem('unprocessable', `No tariff for a fuse size of ${fuseSize.slice(0, 20)}; known sizes: ${known}.`);
}

/** Covers three years, because winters and many price lists span the new year. */
const holidaysAround = (year: number, provider: TariffProvider): string[] =>
  [year - 1, year, year + 1].flatMap((each) => holidaysOf(each, provider));

/** Returns the listed holidays of a year; for an unlisted year the same kinds, and the usual kinds when none are listed. */
function holidaysOf(year: number, { calendarPatterns }: TariffProvider): string[] {
  const listed = calendarPatterns.flatMap(({ dates = [] }) => dates);
  const ofYear = listed.filter((date) => yearOf(date) === year);
  if (ofYear.length > 0) return [...new Set(ofYear)].sort();
  return holidayDates(year, listed.length > 0 ? kindsAmong(listed) : ['public_holidays', 'eves']);
}

function noteOf(tariff: Tariff, provider: TariffProvider): string {
  const { name, validPeriod, billingPeriod } = tariff;
  const period = billingPeriod === 'P1Y' ? 'year' : 'month';
  const valid = `${validPeriod.fromIncluding} up to ${validPeriod.toExcluding}`;
  const charge =
    powerParts(tariff).length > 0
      ? `price per kilowatt and ${period}, with VAT. Rules that apply at the same time add up.`
      : 'no power charge.';
  const first = `${name}, ${valid}: ${charge}`;
  return [first, caveatOf(provider, tariff)].filter(Boolean).join(' ');
}

/** Returns the rules that apply at a time, with the price of a peak that counts fully. */
export function appliedRules({ pricing_rules, holidays }: PowerRules, at: LocalTime) {
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

/** Tells whether a value is in a range, which wraps around if it ends before it begins. */
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

const standardSizes = [16, 20, 25, 35, 50, 63, 80, 100, 125, 160, 200, 250, 315, 400, 500, 630, 800, 1000];

/** Returns the main fuse sizes in ampere found in the name or product of a tariff. */
export function fuseSizesOf({ name, product }: Pick<Tariff, 'name' | 'product'>): number[] {
  const found = sizesIn(name);
  return found.length > 0 ? found : sizesIn(product);
}

function sizesIn(text: string): number[] {
  const range = /(?<!\d)(\d{1,4})\s{0,3}[–-]\s{0,3}(\d{1,4})\s{0,3}A\b/i.exec(text);
  if (range) return between(Number(range[1]), Number(range[2]));
  const [, most] = /(?:max|högst|upp till)\s{0,3}(\d{1,4})\s{0,3}A\b/i.exec(text) ?? [];
  if (most) return between(0, Number(most));
  const [, above] = /(?:över|större än|>)\s{0,3}(\d{1,4})\s{0,3}A\b/i.exec(text) ?? [];
  if (above) return between(Number(above) + 1, Number.POSITIVE_INFINITY);
  const [, single] = /(?<!\d)(\d{1,4})\s{0,3}A\b/i.exec(text) ?? [];
  return between(Number(single), Number(single));
}

const between = (least: number, most: number): number[] =>
  standardSizes.filter((size) => least <= size && size <= most);
