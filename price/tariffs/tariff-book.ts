import { type Calendar, createCalendar, isActiveAt, isValidOn } from '#contract/price/tariff-rules.ts';
import { addDays } from '#contract/time-zone.ts';
import { RecentMap } from '#lib/recent-map.ts';
import { isTax, taxOfYear } from '../total/taxes.ts';
import type { CalendarPattern, Component, GroupName, Interval, Tariff } from './eltariff.ts';
import { holidayDates, kindsAmong } from './holidays.ts';
import { type LocalTime, yearOf } from './local-time.ts';
import { fuseSizesOf } from './power-rules.ts';
import { providerId, type TariffProvider } from './provider.ts';
import { lineOf, relatedLists } from './related-lists.ts';

/** A price list that applies on a day. */
export type ApplicableTariff = {
  tariff: Tariff;
  /** it has expired without a known successor, or is one of several successors */
  isAssumed: boolean;
  isExpired?: true;
  /** the successors for other fuse sizes, when the fuse size is not known */
  alternatives?: readonly Tariff[];
};

type Entry = { tariff: Tariff; provider: TariffProvider; calendar: Calendar; calendarOf(year: number): Calendar };

export type TariffBook = ReturnType<typeof createBook>;

/** Creates an immutable snapshot of the tariffs of all providers; tariff ids must be unique across providers. */
export function createBook(providers: readonly TariffProvider[]) {
  const byId = new Map(providers.map((provider) => [provider.id, provider]));
  const tariffs = new Map<string, Entry>();
  for (const provider of providers) {
    const calendar = createCalendar(provider.calendarPatterns);
    const calendarOf = createCalendars(provider.calendarPatterns);
    for (const tariff of provider.tariffs)
      tariffs.set(tariff.id.toLowerCase(), { tariff, provider, calendar, calendarOf });
    for (const [replaced, id] of provider.aliases ?? []) {
      const entry = tariffs.get(id.toLowerCase());
      if (entry && !tariffs.has(replaced.toLowerCase())) tariffs.set(replaced.toLowerCase(), entry);
    }
  }
  const entryOf = (id: string): Entry | undefined => tariffs.get(id.toLowerCase());

  function knownEntry(tariff: Tariff): Entry {
    const entry = entryOf(tariff.id);
    if (!entry) throw new Error(`Tariff ${tariff.id} does not belong to this book.`);
    return entry;
  }

  function successor(tariff: Tariff, date: string): Tariff | undefined {
    const related = entryOf(tariff.id)?.provider.tariffs.filter(
      (other) => other.id !== tariff.id && other.product === tariff.product && isValidOn(other.validPeriod, date),
    );
    // Some operators use one product for all fuse sizes, so the name decides.
    return related?.find(({ name }) => name === tariff.name) ?? (related?.length === 1 ? related[0] : undefined);
  }

  /** Returns the price list of the product on a day, else of the products that it replaced or that replaced it. */
  function validOn(tariff: Tariff, date: string, fuse?: number): ApplicableTariff | undefined {
    if (isValidOn(tariff.validPeriod, date)) return { tariff, isAssumed: false };
    for (const lists of relatedLists(knownEntry(tariff).provider, tariff)) {
      const valid = lists.flatMap((list) => (isValidOn(list.validPeriod, date) ? list : (successor(list, date) ?? [])));
      const [first, ...others] = new Map(valid.map((list) => [lineOf(list), list])).values();
      if (!first) continue;
      if (others.length === 0) return { tariff: first, isAssumed: false };
      const fitting = [first, ...others].find((list) => fuse !== undefined && fuseSizesOf(list).includes(fuse));
      if (fitting) return { tariff: fitting, isAssumed: false };
      return { tariff: first, isAssumed: true, alternatives: others };
    }
    return undefined;
  }

  function lastKnown(tariff: Tariff, date: string, fuse?: number): ApplicableTariff | undefined {
    const ends = relatedLists(knownEntry(tariff).provider, tariff)
      .flat()
      .filter(({ validPeriod }) => validPeriod.toExcluding <= date)
      .map(({ validPeriod }) => validPeriod.toExcluding)
      .sort()
      .reverse();
    for (const end of new Set(ends)) {
      const found = validOn(tariff, addDays(end, -1), fuse);
      if (found) return { ...found, isAssumed: true, isExpired: true };
    }
    return undefined;
  }

  return {
    providers,
    /** Finds a provider by id, where hyphens equal underscores, or by an alias. */
    findProvider(name: string): TariffProvider | undefined {
      const id = providerId(name);
      return byId.get(id) ?? byId.get(otherNames.get(id) ?? id);
    },
    findTariff: (id: string): Pick<Entry, 'tariff' | 'provider'> | undefined => entryOf(id),
    /** Lists the components of a group in force at a time; their prices add up. */
    active: (tariff: Tariff, group: GroupName, at: LocalTime): Component[] =>
      activeComponents(tariff, group, at, knownEntry(tariff).calendar),
    /** Like `active`; for an expired tariff its last known prices, with the energy tax of the requested year. */
    activeOrAssumed(tariff: Tariff, group: GroupName, at: LocalTime): Component[] {
      const { calendar, calendarOf } = knownEntry(tariff);
      const listed = priceListDate(tariff.validPeriod, at.date);
      if (listed === undefined || listed === at.date) return activeComponents(tariff, group, at, calendar);
      const year = yearOf(at.date);
      return activeComponents(tariff, group, at, calendarOf(year), listed).map((component) =>
        isTax(component) ? withTaxOf(component, yearOf(listed), year) : component,
      );
    },
    successor,
    /** Returns the price list that applies on a day, for a fuse size if it is known; undefined before the first one. */
    tariffOn: (tariff: Tariff, date: string, fuse?: number): ApplicableTariff | undefined =>
      validOn(tariff, date, fuse) ?? lastKnown(tariff, date, fuse),
    /** Lists the price lists that can apply instead of this one on some day. */
    relatives: (tariff: Tariff): Tariff[] => relatedLists(knownEntry(tariff).provider, tariff).flat(),
  };
}

const maxCalendars = 20;

/** Returns calendars by year. A pattern without dates in a year gets the same kinds of holidays. */
function createCalendars(patterns: readonly CalendarPattern[]): (year: number) => Calendar {
  const known = new RecentMap<Calendar>(maxCalendars);
  const patternIn = (year: number, pattern: CalendarPattern): CalendarPattern => {
    const { dates = [] } = pattern;
    const isListed = dates.length === 0 || dates.some((date) => yearOf(date) === year);
    return isListed ? pattern : { ...pattern, dates: holidayDates(year, kindsAmong(dates)) };
  };
  return (year) =>
    known.getOrCreate(String(year), () => createCalendar(patterns.map((pattern) => patternIn(year, pattern))));
}

function withTaxOf(component: Component, listed: number, year: number): Component {
  const sekPerKwh = component.price && taxOfYear(component.price.priceExVat, listed, year);
  if (sekPerKwh === undefined || !component.price) return component;
  const vat = component.price.priceIncVat / component.price.priceExVat;
  const priceIncVat = Math.round(sekPerKwh * vat * 1e6) / 1e6;
  return { ...component, price: { ...component.price, priceExVat: sekPerKwh, priceIncVat } };
}

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
  if (!isValidOn(tariff.validPeriod, validOn)) return [];
  return tariff[group].components.filter(
    ({ validPeriod, recurringPeriods }) =>
      isValidOn(validPeriod, validOn) &&
      (!recurringPeriods?.length || recurringPeriods.some((period) => isActiveAt(period, at, calendar))),
  );
}

/**
 * Returns the day of the price list whose prices apply on a date: the date itself; after the list has expired, the same
 * day of its last year, or its last day where it did not cover that one. Undefined before the list begins.
 */
export function priceListDate(validPeriod: Interval, date: string): string | undefined {
  if (isValidOn(validPeriod, date)) return date;
  if (date < validPeriod.toExcluding) return undefined;
  const lastDay = addDays(validPeriod.toExcluding, -1);
  const lastYear = yearOf(lastDay);
  const sameDay = [lastYear, lastYear - 1].map((year) => `${year}${date.slice(4)}`);
  return sameDay.find((day) => isValidOn(validPeriod, day)) ?? lastDay;
}

const otherNames: ReadonlyMap<string, string> = new Map([
  ['goteborg_energi', 'goteborg_energi_nat'],
  ['oresundskraft', 'oresundskraft_elnat'],
  ['sollentuna_energi', 'sollentuna_elnat'],
]);
