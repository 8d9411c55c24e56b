import type { AlertRules } from '#contract/cloud/alerts.ts';
import type { TotalPrice } from '#contract/price/total.ts';
import { Problem } from '#contract/problem.ts';
import { dayMs, hourMs, minuteMs } from '#contract/time.ts';
import { dateAt, startOfDate } from '#contract/time-zone.ts';
import { RecentMap } from '#lib/recent-map.ts';
import type { BillCalculator } from '../bill/bill-calculator.ts';
import type { Found } from './conditions.ts';
import type { Site } from './watched-sites.ts';

/** The part of a site that its prices depend on. */
export type PricedSite = Pick<Site, 'price_area' | 'latitude' | 'longitude' | 'tariff_id' | 'timeZone'>;

export type PriceStep = { start: number; end: number; total: number; spot: number };
export type Prices = { currency: string; steps: readonly PriceStep[] };

const keepMs = 10 * minuteMs; // tomorrow's prices are noticed this late
const maxTerms = 5000;

/** Reads the prices of sites as the page Prices shows them; sites with the same terms share them. */
export function createSitePrices(calculator: BillCalculator) {
  const known = new RecentMap<{ at: number; prices: Promise<Prices | undefined> }>(maxTerms);

  async function read(site: PricedSite, now: number): Promise<Prices | undefined> {
    const date = dateAt(site.timeZone, now);
    const from = startOfDate(site.timeZone, date);
    try {
      return pricesOf(await calculator.prices({ ...termsOf(site), from: String(from), resolution: 'PT15M' }));
    } catch (error) {
      if (error instanceof Problem || error instanceof DOMException) return undefined; // no prices for this site now
      throw error;
    }
  }

  return {
    /** Returns the prices of today, and of tomorrow once they are published; undefined if they are unknown. */
    of(site: PricedSite, now: number): Promise<Prices | undefined> {
      if (site.price_area === null && site.latitude === null) return Promise.resolve(undefined);
      const key = JSON.stringify([termsOf(site), site.timeZone, dateAt(site.timeZone, now)]);
      const found = known.get(key);
      if (found && Math.abs(now - found.at) < keepMs) return found.prices;
      const prices = read(site, now);
      known.set(key, { at: now, prices });
      return prices;
    },
  };
}

const termsOf = ({ price_area: area, latitude: lat, longitude: lon, tariff_id }: PricedSite) => ({
  ...(area !== null && { area }),
  ...(area === null && lat !== null && lon !== null && { lat, lon }),
  ...(tariff_id && { tariff_id }),
});

const pricesOf = ({ currency, intervals }: TotalPrice): Prices => ({
  currency,
  steps: intervals.map(({ start, end, total, parts }) => ({
    start: Date.parse(start),
    end: Date.parse(end),
    total,
    spot: parts.reduce((sum, { kind, amount }) => (kind === 'spot' ? sum + amount : sum), 0),
  })),
});

/** Finds whether the price is beyond a limit now, and until when. */
export function priceBeyond(
  rule: 'price_below' | 'price_above',
  { price: limit }: AlertRules['price_below'],
  prices: Prices | undefined,
  now: number,
): Found<'price_below'> {
  const first = prices?.steps.findIndex(({ start, end }) => start <= now && now < end) ?? -1;
  const current = prices?.steps[first];
  if (!prices || !current) return undefined;
  const isBeyond = ({ total }: PriceStep): boolean => (rule === 'price_below' ? total < limit : total > limit);
  if (!isBeyond(current)) return null;
  let until = current.end;
  for (const step of prices.steps.slice(first + 1)) {
    if (!isBeyond(step) || step.start !== until) break;
    until = step.end;
  }
  return { subjects: [rule], facts: { price: current.total, limit, until, currency: prices.currency } };
}

/** Finds negative spot prices of tomorrow once all its prices are published. */
export function negativeTomorrow(prices: Prices | undefined, timeZone: string, now: number): Found<'negative_price'> {
  const noonTomorrow = startOfDate(timeZone, dateAt(timeZone, now)) + dayMs + 12 * hourMs;
  const tomorrow = dateAt(timeZone, noonTomorrow);
  const [from, to] = [startOfDate(timeZone, tomorrow), startOfDate(timeZone, dateAt(timeZone, noonTomorrow + dayMs))];
  const steps = prices?.steps.filter(({ start }) => start >= from && start < to) ?? [];
  const known = steps.reduce((sum, { start, end }) => sum + end - start, 0);
  if (known < 22 * hourMs) return undefined; // a day has at least 23 hours, and not all zones are those of the market
  const spans: [from: number, to: number][] = [];
  for (const { start, end, spot } of steps) {
    if (spot >= 0) continue;
    const last = spans.at(-1);
    if (last?.[1] === start) last[1] = end;
    else spans.push([start, end]);
  }
  return spans.length > 0 ? { subjects: [tomorrow], facts: { spans } } : null;
}
