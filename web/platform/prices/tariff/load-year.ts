import { getEltariffPrices, type Tariff } from '#contract/price/eltariff.ts';
import { prices } from '../../market/client.ts';
import { addAlways, addPrices, emptyYear, firstDay, forgetSkipped, type YearHours } from './year.ts';

export type PriceGroupName = 'energyPrice' | 'powerPrice';

const later = (a: string, b: string): string => (a > b ? a : b);
const earlier = (a: string, b: string): string => (a < b ? a : b);

/** What a group of a tariff comes to in each hour of a year, with VAT. What follows the spot price is not in it. */
export async function loadYear(
  providerId: string,
  tariff: Tariff,
  group: PriceGroupName,
  year: number,
  signal: AbortSignal,
): Promise<YearHours> {
  const hours = emptyYear(year);
  for (const { id, price, validPeriod, recurringPeriods } of tariff[group].components) {
    const from = [tariff.validPeriod.fromIncluding, validPeriod.fromIncluding, firstDay(year)].reduce(later);
    const to = [tariff.validPeriod.toExcluding, validPeriod.toExcluding, firstDay(year + 1)].reduce(earlier);
    if (!price || from >= to) continue;
    if (!recurringPeriods?.length) {
      addAlways(hours, { fromIncluding: from, toExcluding: to }, price.priceIncVat);
      continue;
    }
    const query = { fromIncluding: `${from}T00:00:00`, toExcluding: `${to}T00:00:00` };
    const params = { provider: providerId, componentId: id };
    const { priceList } = await prices.call(getEltariffPrices, { params, query, signal });
    addPrices(hours, priceList.prices);
  }
  forgetSkipped(hours, tariff.timeZone);
  return hours;
}
