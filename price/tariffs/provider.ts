import type { CalendarPattern, Tariff } from './eltariff.ts';
import type { Source } from './price-list.ts';

/** Where a tariff is valid within the grid of its operator. An operator with one price list for its whole grid has none. */
export type TariffArea = {
  /** bidding zones, such as SE4 */
  zones: readonly string[];
  /** codes of Swedish counties; all of the zones when left out */
  counties?: readonly string[];
  /** counties of the zones where another tariff is valid */
  exceptCounties?: readonly string[];
};

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
