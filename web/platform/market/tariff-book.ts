import { type CalendarPattern, getEltariffInfo, listEltariffs, type Tariff } from '#contract/price/eltariff.ts';
import { holds } from '#contract/price/tariff-calendar.ts';
import { prices } from './client.ts';

/** What a grid operator charges for, and who says so. */
export type Book = {
  providerId: string;
  operator: string;
  tariffs: Tariff[];
  calendarPatterns: CalendarPattern[];
  source?: { from: string[]; confidence: string; caveat?: string } | undefined;
};

export async function loadBook(providerId: string, signal: AbortSignal): Promise<Book> {
  const params = { provider: providerId };
  const [info, { tariffs, calendarPatterns }] = await Promise.all([
    prices.call(getEltariffInfo, { params, signal }),
    prices.call(listEltariffs, { params, signal }),
  ]);
  const used = tariffs.filter(({ direction }) => direction === 'consumption');
  return { providerId, operator: info.operator, tariffs: used, calendarPatterns, source: info.source };
}

/** The tariffs of today first, then the newest; the same name keeps its order. */
export const byNeed = (tariffs: readonly Tariff[], today: string): Tariff[] =>
  tariffs.toSorted(
    (a, b) =>
      Number(holds(b.validPeriod, today)) - Number(holds(a.validPeriod, today)) ||
      b.validPeriod.toExcluding.localeCompare(a.validPeriod.toExcluding),
  );
