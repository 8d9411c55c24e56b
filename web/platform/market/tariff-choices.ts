import type { Interval, Tariff } from '#contract/price/eltariff.ts';
import { holds } from '#contract/price/tariff-calendar.ts';
import { dateAt } from '#contract/time-zone.ts';
import { addDays } from '../../chart/calendar.ts';
import type { Choice } from '../../parts/field.tsx';
import { timeNow } from '../../parts/now.ts';
import { texts } from '../../parts/text.ts';
import type { Provider } from './grid-operators.ts';
import { byNeed } from './tariff-book.ts';

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
    label: holds(validPeriod, today) ? name : oldWords(name, validPeriod.toExcluding),
  }));
}
