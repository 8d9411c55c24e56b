import type { CalendarPattern, PriceGroup, Tariff } from './eltariff.ts';
import type { Source } from './price-list.ts';

export type TariffProvider = {
  /** ASCII, with underscores */
  id: string;
  name: string;
  tariffs: readonly Tariff[];
  /** what the tariffs mean by weekdays, holidays and the like */
  calendarPatterns: readonly CalendarPattern[];
  source?: Source;
};

export type GroupName = 'fixedPrice' | 'energyPrice' | 'powerPrice';

/** Wall-clock time in the zone of a tariff. */
export type LocalTime = { date: string /** HH:MM:SS */; time: string };

/** The tariffs of all providers, as one whole snapshot of their files. */
export type TariffBook = {
  providers: readonly TariffProvider[];
  /** Hyphens in the id count as underscores. */
  findProvider(id: string): TariffProvider | undefined;
  findTariff(id: string): { tariff: Tariff; provider: TariffProvider } | undefined;
  /** The components of a group that are in force at this time. They add up. */
  active(tariff: Tariff, group: GroupName, at: LocalTime): PriceGroup['components'];
  /** Another tariff of the same product that is valid on this day. */
  successor(tariff: Tariff, date: string): Tariff | undefined;
};
