import { Problem } from '#contract/problem.ts';
import { minuteMs } from '#contract/time.ts';
import type { Clock } from '#lib/clock.ts';
import { createRateLimiter } from '#lib/rate-limit.ts';
import { RecentMap } from '#lib/recent-map.ts';
import type { Area } from '../electricity/areas.ts';
import { dueAt } from '../electricity/market-day.ts';
import type { OpenPrices } from '../electricity/open-prices.ts';
import type { PriceDay } from '../electricity/prices.ts';
import { type Source, SourceError, simulatedMarket } from '../electricity/source.ts';

const keepMs = 10 * minuteMs;
const mostKept = 500;
const mostAsked = 60; // questions a minute to one source, beside those of the ordinary prices
const patienceMs = 20_000;

type Kept = { until: number; day: Promise<PriceDay | undefined> };

/** Finds the days of one source: those the service keeps when they are of it, else by asking the source itself. */
export function createProviderDays(prices: Pick<OpenPrices, 'peek'>, clock: Clock) {
  const kept = new RecentMap<Kept>(mostKept);
  const budget = createRateLimiter({ limit: mostAsked, windowMs: 60_000, clock, maxKeys: 100 });

  return async (source: Source, area: Area, date: string): Promise<PriceDay | undefined> => {
    const known = prices.peek(area, date);
    if (known?.source === source.name) return known;
    if (!source.covers(area) || clock.now() < dueAt(date)) return undefined;
    const key = `${source.id} ${area.eic} ${date}`;
    const asked = kept.get(key);
    if (asked && clock.now() < asked.until) return asked.day;
    if (!budget.take(source.id).allowed) throw unavailable(source);
    const day = ask(source, area, date, clock);
    kept.set(key, { until: clock.now() + keepMs, day });
    day.catch(() => kept.delete(key)); // whoever waits for it is told
    return day;
  };
}

async function ask(source: Source, area: Area, date: string, clock: Clock): Promise<PriceDay | undefined> {
  try {
    const day = await source.fetchDay(area, date, AbortSignal.timeout(patienceMs));
    if (!day) return undefined;
    const { points, isSimulated } = day;
    return { date, points, isSimulated, source: isSimulated ? simulatedMarket : source.name, fetchedAt: clock.now() };
  } catch (error) {
    if (error instanceof SourceError) throw unavailable(source, error);
    throw error;
  }
}

const unavailable = ({ name }: Source, cause?: unknown): Problem =>
  new Problem('unavailable', `${name} does not answer now.`, { retryAfterSeconds: 60 }, { cause });
