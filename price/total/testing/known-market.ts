import { hourMs } from '#contract/time.ts';
import { startOfDate, wallAt } from '#contract/time-zone.ts';
import { marketDay, type PriceDay, type Prices } from '../../electricity/market-day.ts';
import { readProviderFile } from '../../tariffs/provider.ts';
import { createBook } from '../../tariffs/tariff-book.ts';
import type { TotalDeps } from '../terms.ts';

const zone = 'Europe/Stockholm';
const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const price = (exVat: number) => ({ priceExVat: exVat, priceIncVat: exVat * 1.25, currency: 'SEK' });

/** A tariff for 2026: 0.30 per kWh, 200 per month, and 40 per kW for the mean of the highest hour of three days. */
export const threePeaks = id(1);
/** The same tariff at twice the price. */
export const dearer = id(2);

const tariffOf = (tariffId: string, name: string, times: number) => {
  const validPeriod = { fromIncluding: '2025-01-01', toExcluding: '2027-01-01' };
  const component = (n: number, title: string, exVat: number) => ({
    id: id(n),
    name: title,
    validPeriod,
    price: price(exVat * times),
  });
  const peakIdentificationSettings = {
    peakFunction: 'peak(main)',
    peakIdentificationPeriod: 'P1D',
    peakDuration: 'PT1H',
    numberOfPeaksForAverageCalculation: 3,
  };
  return {
    id: tariffId,
    name,
    product: name,
    validPeriod,
    timeZone: zone,
    lastUpdated: '2025-01-01T00:00:00',
    companyName: 'Eget Nät AB',
    fixedPrice: {
      id: id(91),
      name: 'Fast',
      components: [{ ...component(92, 'Fast avgift', 200), pricedPeriod: 'P1M' }],
    },
    energyPrice: { id: id(93), name: 'Energi', components: [component(94, 'Överföring', 0.3)] },
    powerPrice: {
      id: id(95),
      name: 'Effekt',
      components: [{ ...component(96, 'Effektavgift', 40), peakIdentificationSettings }],
    },
  };
};

const tariffs = [tariffOf(threePeaks, 'Villa 16 A', 1), tariffOf(dearer, 'Villa 25 A', 2)];
const book = createBook([readProviderFile('eget_nat.json', JSON.stringify({ tariffs }))]);

export type KnownMarket = {
  /** euro per MWh at an hour of the local day */
  spot?: (hour: number) => number;
  /** first market day without prices */
  unknownFrom?: string;
  now?: string;
};

/** Creates a market whose prices are known by the hour of the day, at ten units of every currency per euro. */
export function knownMarket({ spot, unknownFrom = '9999', now = '2027-01-01T00:00Z' }: KnownMarket): TotalDeps {
  const peek: Prices['peek'] = (area, date) => {
    if (!spot) throw new Error('This bill needs no spot price.');
    if (date >= unknownFrom) return undefined;
    const { start, end } = marketDay(area, date);
    const points: PriceDay['points'] = Array.from({ length: (end - start) / hourMs }, (_, n) => {
      const at = start + n * hourMs;
      return { start: at, end: at + hourMs, eur_per_mwh: spot(new Date(wallAt(zone, at)).getUTCHours()) };
    });
    return { date, points, source: 'Known', isSimulated: false, fetchedAt: 0 };
  };
  return {
    prices: {
      peek,
      load: async () => {},
      day: async (area, date) => peek(area, date),
      rate: async (currency) => ({ currency, perEuro: 10, date: '2026-01-01', source: 'test' }),
    },
    book: () => book,
    places: { findZone: async () => ({ zone: 'SE3', municipality: undefined }) },
    clock: { now: () => Date.parse(now) },
  };
}

type HourUse = { import_kwh: number; export_kwh?: number };

/** Lists the hours of local days, from a day on until another. */
export function localHours(from: string, to: string, use: (hour: number, date: string) => HourUse) {
  const intervals: (HourUse & { start: string })[] = [];
  for (let at = startOfDate(zone, from); at < startOfDate(zone, to); at += hourMs) {
    const wall = new Date(wallAt(zone, at));
    intervals.push({ start: new Date(at).toISOString(), ...use(wall.getUTCHours(), wall.toISOString().slice(0, 10)) });
  }
  return intervals;
}
