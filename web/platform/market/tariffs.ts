import {
  type CalendarPattern,
  getEltariffInfo,
  type Interval,
  listEltariffs,
  type Tariff,
} from '#contract/price/eltariff.ts';
import { isValidOn } from '#contract/price/tariff-rules.ts';
import { dateAt } from '#contract/time-zone.ts';
import { addDays } from '../../chart/calendar.ts';
import type { Choice } from '../../parts/field.tsx';
import { timeNow } from '../../parts/now.ts';
import { texts } from '../../parts/text.ts';
import { prices } from './client.ts';
import type { Provider } from './grid-operators.ts';

const t = texts({
  en: { old: '{name} (prices until {until})' },
  sv: { old: '{name} (priser till {until})' },
});

/** Old prices are told by the last day on which they held. */
const oldWords = (name: string, toExcluding: Interval['toExcluding']): string =>
  t('old', { name, until: addDays(toExcluding, -1) });

export const providerChoices = (providers: readonly Provider[]): Choice[] =>
  providers.map(({ id, name, isOutOfDate, validUntil }) => ({
    value: id,
    label: isOutOfDate ? oldWords(name, validUntil) : name,
  }));

export function tariffChoices(tariffs: readonly Tariff[]): Choice[] {
  const today = dateAt(tariffs[0]?.timeZone, timeNow());
  return byNeed(tariffs, today).map(({ id, name, validPeriod }) => ({
    value: id,
    label: isValidOn(validPeriod, today) ? name : oldWords(name, validPeriod.toExcluding),
  }));
}

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
      Number(isValidOn(b.validPeriod, today)) - Number(isValidOn(a.validPeriod, today)) ||
      b.validPeriod.toExcluding.localeCompare(a.validPeriod.toExcluding),
  );
