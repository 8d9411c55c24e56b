import type { CalendarPattern, Tariff } from './eltariff.ts';
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

/** How ids of providers are written, from how people write them. */
export const providerId = (text: string): string => text.toLowerCase().replaceAll('-', '_');
