import { type Calendar, createCalendar, holds } from '#contract/price/tariff-calendar.ts';
import { activeComponents } from './active-components.ts';
import type { GroupName, PriceGroup, Tariff } from './eltariff.ts';
import { otherNames } from './other-names.ts';
import { providerId, type TariffProvider } from './provider.ts';
import type { LocalTime } from './zone-clock.ts';

/** The tariffs of all providers, as one whole snapshot of their files. */
export type TariffBook = {
  providers: readonly TariffProvider[];
  /** By its id, in which hyphens count as underscores, or by another of its names. */
  findProvider(name: string): TariffProvider | undefined;
  findTariff(id: string): { tariff: Tariff; provider: TariffProvider } | undefined;
  /** The components of a group that are in force at this time. They add up. */
  active(tariff: Tariff, group: GroupName, at: LocalTime): PriceGroup['components'];
  /** Another tariff of the same product that is valid on this day. */
  successor(tariff: Tariff, date: string): Tariff | undefined;
};

type Entry = { tariff: Tariff; provider: TariffProvider; calendar: Calendar };

/** Providers must not share ids of tariffs. */
export function createBook(providers: readonly TariffProvider[]): TariffBook {
  const byId = new Map(providers.map((provider) => [provider.id, provider]));
  const tariffs = new Map<string, Entry>();
  for (const provider of providers) {
    const calendar = createCalendar(provider.calendarPatterns);
    for (const tariff of provider.tariffs) tariffs.set(tariff.id.toLowerCase(), { tariff, provider, calendar });
  }
  const entryOf = (id: string): Entry | undefined => tariffs.get(id.toLowerCase());
  return {
    providers,
    findProvider(name) {
      const id = providerId(name);
      return byId.get(id) ?? byId.get(otherNames.get(id) ?? id);
    },
    findTariff: entryOf,
    active(tariff, group, at) {
      const entry = entryOf(tariff.id);
      if (!entry) throw new Error(`Tariff ${tariff.id} is in no provider of this book.`);
      return activeComponents(tariff, group, at, entry.calendar);
    },
    successor(tariff, date) {
      const related = entryOf(tariff.id)?.provider.tariffs.filter(
        (other) => other.id !== tariff.id && other.product === tariff.product && holds(other.validPeriod, date),
      );
      // Some operators call all fuse sizes one product; the name tells them apart.
      return related?.find(({ name }) => name === tariff.name) ?? (related?.length === 1 ? related[0] : undefined);
    },
  };
}
