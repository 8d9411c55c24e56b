import { getEltariffInfo, listEltariffs, type Tariff } from '#contract/price/eltariff.ts';
import type { Interval } from '#contract/price/interval.ts';
import { isValidOn } from '#contract/price/tariff-rules.ts';
import { dateAt } from '#contract/time-zone.ts';
import { addDays } from '../../chart/calendar.ts';
import type { Choice } from '../../parts/field.tsx';
import { timeNow } from '../../parts/now.ts';
import { date, texts } from '../../parts/text.ts';
import type { GridOperator } from './grid-operators.ts';
import { priceApi } from './total-price.ts';

const t = texts({ old: '{name} (prices until {until})' });

/** Names the last day on which the prices were valid. */
const expiredLabel = (name: string, toExcluding: Interval['toExcluding']): string =>
  t('old', { name, until: date(Date.parse(addDays(toExcluding, -1)), 'UTC') });

export const providerChoices = (providers: readonly GridOperator[]): Choice[] =>
  providers.map(({ id, name, out_of_date, valid_until }) => ({
    value: id,
    label: out_of_date ? expiredLabel(name, valid_until) : name,
  }));

export function tariffChoices(tariffs: readonly Tariff[]): Choice[] {
  const today = dateAt(tariffs[0]?.timeZone, timeNow());
  return currentFirst(tariffs, today).map(({ id, name, validPeriod }) => ({
    value: id,
    label: isValidOn(validPeriod, today) ? name : expiredLabel(name, validPeriod.toExcluding),
  }));
}

export type TariffList = Awaited<ReturnType<typeof loadTariffs>>;

export async function loadTariffs(providerId: string, signal: AbortSignal) {
  const params = { provider: providerId };
  const [{ operator, source }, { tariffs, calendarPatterns }] = await Promise.all([
    priceApi.call(getEltariffInfo, { params, signal }),
    priceApi.call(listEltariffs, { params, signal }),
  ]);
  const used = tariffs.filter(({ direction }) => direction === 'consumption');
  return { providerId, operator, source, tariffs: used, calendarPatterns };
}

/** Sorts tariffs that are valid today first, then the newest. */
export const currentFirst = (tariffs: readonly Tariff[], today: string): Tariff[] =>
  tariffs.toSorted(
    (a, b) =>
      Number(isValidOn(b.validPeriod, today)) - Number(isValidOn(a.validPeriod, today)) ||
      b.validPeriod.toExcluding.localeCompare(a.validPeriod.toExcluding),
  );
