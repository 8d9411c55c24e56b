import type { CalendarPattern, Tariff } from './eltariff.ts';
import type { Source } from './price-list.ts';
import type { TariffArea } from './tariff-area.ts';

export type TariffProvider = {
  /** ASCII, with underscores */
  id: string;
  name: string;
  tariffs: readonly Tariff[];
  /** what the tariffs mean by weekdays, holidays and the like */
  calendarPatterns: readonly CalendarPattern[];
  source?: Source;
  /** where a tariff is valid, by its id, for those that are not valid in the whole grid */
  areas?: ReadonlyMap<string, TariffArea>;
};

/** How ids of providers are written, from how people write them. */
export const providerId = (text: string): string => text.toLowerCase().replaceAll('-', '_');
