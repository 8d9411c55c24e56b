import { addDays } from '#contract/time-zone.ts';
import { dayFromPeriods, readA44 } from '#price/electricity/entsoe.ts';
import { marketDay } from '#price/electricity/market-day.ts';
import { openPriceStore } from '#price/store/price-store.ts';
import { domains } from '#sim/market/domains.ts';
import { simulatedDocument } from '#test/price/simulated-day.ts';

const firstDate = '2025-10-01'; // the market has quarter-hours since then
const dayCount = 730;
const marketZone = { timeZone: 'Europe/Brussels' };

/** Fills two years of every area of the simulated market, each day with its document. Returns the number of days. */
export function fillPrices(dataDir: string): number {
  const onDamaged = (file: string): never => {
    throw new Error(`${file} is damaged.`);
  };
  const store = openPriceStore({ dataDir, onDamaged });
  let count = 0;
  for (const domain of domains) {
    for (let n = 0, date = firstDate; n < dayCount; n++, date = addDays(date, 1)) {
      const { eic } = domain;
      const span = marketDay(marketZone, date);
      const raw = simulatedDocument(eic, span);
      const read = readA44(raw, eic);
      const points = typeof read === 'object' ? dayFromPeriods(read.periods, span) : undefined;
      if (!points) throw new Error(`${eic} has no ${date}.`);
      store.saveDay(eic, { date, points, source: 'ENTSO-E', isSimulated: true, fetchedAt: span.start }, raw);
      count += 1;
    }
  }
  store.close();
  return count;
}
