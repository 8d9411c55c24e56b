import type { ElectricityPrices, ElectricityRoutes } from '#contract/price/electricity.ts';
import { Problem } from '#contract/problem.ts';
import { formatTime, minuteMs } from '#contract/time.ts';
import { type Mount, PreSerialized } from '#lib/http/mount.ts';
import { RecentMap } from '#lib/recent-map.ts';
import { type CachedAnswer, composeAnswer, serializeAnswer, textWithAge } from './answer.ts';
import { listedAreas } from './areas.ts';
import { daysAt, marketDay } from './market-day.ts';
import type { OpenPrices } from './open-prices.ts';
import { findDays, type PriceQuery, type PriceQueryText, parsePriceQuery } from './price-query.ts';

const lookAgainMs = 5000; // for an incomplete answer
const keepMs = 10 * minuteMs; // exchange rates change
const maxAnswers = 125;
const maxLength = 64_000;

export function electricityRoutes(mount: Mount<object>, routes: ElectricityRoutes, prices: OpenPrices): void {
  const ready = new RecentMap<CachedAnswer>(maxAnswers);
  const openedAt = prices.now();

  mount(routes.getPrices, ({ params, query }) => {
    const key = `${params.area} ${query.date} ${query.days} ${query.resolution} ${query.currency}`;
    const now = prices.now();
    const known = ready.get(key);
    if (known && now >= known.writtenAt && now < known.validUntil) return send(known, now); // the clock may have been set back
    return answer(params.area, query).then(({ written, isCached }) => {
      if (isCached && written.head.length <= maxLength) ready.set(key, written);
      return send(written, now);
    });
  });

  async function answer(areaText: string, text: PriceQueryText): Promise<{ written: CachedAnswer; isCached: boolean }> {
    const now = prices.now();
    const query = parsePriceQuery(areaText, text, now);
    const { area, dates, currency, resolution } = query;
    const before = new Set(dates.filter((date) => prices.peek(area, date)));
    const rate = await prices.rate(currency);
    if (!rate) throw new Problem('unprocessable', `No exchange rate from EUR to ${currency} is available.`);

    const found = await findDays(query, prices);
    const isCached = found.every(({ date, fetchedAt }) => before.has(date) || fetchedAt < now);
    const days = daysAt(found, resolution);
    if (days.length === 0) throw nothing(query, found.length > 0);
    const missing = dates.filter((date) => days.every((day) => day.date !== date));
    const composed = composeAnswer(query, { days, rate, isCached, missing });
    const isComplete = missing.length === 0;
    const until = Math.min(now + (isComplete ? keepMs : lookAgainMs), ...found.flatMap((day) => day.until ?? []));
    const endOfToday = text.date === undefined ? marketDay(area, dates[0]).end : Number.POSITIVE_INFINITY;
    return { written: serializeAnswer(composed, now, Math.min(until, endOfToday)), isCached };
  }

  mount(routes.listAreas, () => ({
    areas: listedAreas.map(({ code, country, eic }) => ({ area: code, country, code: eic })),
    count: listedAreas.length,
    metadata: { provider: prices.status()[0]?.name ?? 'none', fetched_at: formatTime(openedAt) },
  }));

  mount(routes.getOverview, () => overviewOf(routes, prices.fetchedAt() ?? openedAt));

  mount(routes.getHealth, () => ({ status: 'healthy' as const }));
}

const send = (ready: CachedAnswer, now: number) =>
  new PreSerialized<ElectricityPrices>({ text: textWithAge(ready, now), headers: ready.headers });

function nothing({ name, dates, resolution }: PriceQuery, isKnownOtherwise: boolean): Problem {
  const when = dates.length === 1 ? dates[0] : `${dates[0]} to ${dates.at(-1)}`;
  const what = isKnownOtherwise ? `prices in steps of ${resolution}` : 'prices';
  return new Problem('not_found', `No ${what} for ${name} on ${when}: not published, or no source has them.`);
}

function overviewOf(routes: ElectricityRoutes, updatedAt: number) {
  return {
    name: 'Electricity prices',
    version: '1.0.0',
    description: 'Day-ahead spot prices of European bidding zones.',
    compliance: 'ENTSO-E A44 day-ahead prices',
    statistics: { total_areas: listedAreas.length, last_updated: formatTime(updatedAt) },
    endpoints: Object.values(routes).map(({ method, path, summary }) => ({ method, path, summary })),
    documentation: { swagger: '/price/electricity/docs', redoc: '/price/electricity/redoc' }, // shared by both prefixes
  };
}
