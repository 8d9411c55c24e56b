import type { Resolution } from '#contract/price/electricity.ts';
import type { LegacyPrices, NoData } from '#contract/price/legacy.ts';
import { fieldProblem, Problem } from '#contract/problem.ts';
import { formatTime, minuteMs } from '#contract/time.ts';
import type { Clock } from '#lib/clock.ts';
import { Answer, PreSerialized } from '#lib/http/mount.ts';
import { createRateLimiter } from '#lib/rate-limit.ts';
import { RecentMap } from '#lib/recent-map.ts';
import type { Area } from '../electricity/areas.ts';
import { daysAt, dueAt, lastFetchedAt, type PriceDay, providersOf } from '../electricity/market-day.ts';
import type { OpenPrices } from '../electricity/open-prices.ts';
import { findDays, type PriceQuery, parsePriceQuery } from '../electricity/price-query.ts';
import { type Source, SourceError, simulatedMarket } from '../electricity/source.ts';
import { knownSources } from '../electricity/sources.ts';
import { marketDocument } from './market-document.ts';

export type LegacyPriceDeps = { prices: OpenPrices; sources: readonly Source[]; clock: Clock };

type LegacyQuery = { area: string; format?: string; resolution?: Resolution };

export function createLegacyPrices({ prices, sources, clock }: LegacyPriceDeps) {
  const dayOf = createProviderDays(prices, clock);

  function parse({ area, resolution, format = 'xml' }: LegacyQuery): PriceQuery & { isJson: boolean } {
    const name = format.toLowerCase();
    if (name !== 'json' && name !== 'xml') throw fieldProblem('unprocessable', 'query.format', 'must be json or xml');
    return { ...parsePriceQuery(area, { resolution }, clock.now()), isJson: name === 'json' };
  }

  async function ofAnybody(asked: LegacyQuery) {
    const query = parse(asked);
    const days = await findDays(query, prices);
    const provider = sources.map(({ name }) => name).join(', ');
    if (days.length === 0) return noData(query, provider, 'No provider has prices for this area.');
    const [day, ...others] = days;
    const isDocument = !query.isJson && day && others.length === 0;
    return answer(query, days, provider, isDocument ? await prices.raw(query.area, day.date) : undefined);
  }

  async function ofProvider(provider: string, asked: LegacyQuery) {
    const query = parse(asked);
    const known = findSource(provider);
    if (!known) throw new Problem('not_found', `Unknown provider ${provider}; GET /price/providers lists them.`);
    const { id } = known;
    const source = sources.find((each) => each.id === id);
    if (!source) return noData(query, id, `${known.name} is not in use here.`);
    const days = await findDays(query, { ...prices, day: (area, date) => dayOf(source, area, date) });
    if (days.length === 0) return noData(query, id, `${known.name} has no prices for this area.`);
    return answer(query, days, id);
  }

  return { ofAnybody, ofProvider };
}

/** Writes the days in the requested format and resolution; prefers the document that the source sent. */
function answer(
  query: PriceQuery & { isJson: boolean },
  days: readonly PriceDay[],
  provider: string,
  document?: string,
): LegacyPrices | PreSerialized<LegacyPrices> | Answer<NoData> {
  const { area, resolution, isJson } = query;
  const stepped = daysAt(days, resolution);
  if (resolution === 'PT15M' && stepped.length === 0)
    return noData(query, provider, 'There are prices for this area, but not in steps of PT15M.');
  if (isJson) return inJson(query, stepped);
  return document && isInSteps(document, resolution)
    ? inXml(document, days)
    : inXml(marketDocument(area, stepped), stepped);
}

/** Finds a source by its id, where hyphens equal underscores, or by its name. */
function findSource(given: string) {
  const name = given.toLowerCase();
  return knownSources.find((source) => source.id === name.replaceAll('-', '_') || source.name.toLowerCase() === name);
}

function inJson({ name }: PriceQuery, days: readonly PriceDay[]): LegacyPrices {
  const provider = providersOf(days).join(', ');
  return {
    area: name,
    currency: 'EUR',
    unit: 'MWh',
    prices: days.flatMap(({ points, source }) =>
      points.map(({ start, end, eur_per_mwh }) => ({
        start_time: formatTime(start),
        end_time: formatTime(end),
        price: eur_per_mwh,
        ...(source !== provider && { provider: source }),
      })),
    ),
    provider,
    last_updated: formatTime(lastFetchedAt(days)),
  };
}

const isInSteps = (xml: string, resolution: Resolution): boolean =>
  [...xml.matchAll(/<resolution>\s*([^<]*?)\s*<\/resolution>/g)].every(([, found]) => found === resolution);

function inXml(text: string, days: readonly PriceDay[]): PreSerialized<LegacyPrices> {
  const provider = providersOf(days).join(', ');
  const headers = { 'content-type': 'application/xml; charset=utf-8', 'x-price-provider': provider };
  return new PreSerialized({ text, headers });
}

const noData = ({ name }: PriceQuery, provider: string, message: string): Answer<NoData> =>
  new Answer(404, { error: 'No data available', area: name, provider, message, status: 'no_data' as const });

const keepMs = 10 * minuteMs;
const maxDays = 500;
const maxPerMinute = 60; // requests to one source, in addition to those of the other interface
const timeoutMs = 20_000;

type Kept = { until: number; day: Promise<PriceDay | undefined> };

/** Finds days of one source: cached days if they came from it, otherwise by asking the source. */
function createProviderDays(prices: Pick<OpenPrices, 'peek'>, clock: Clock) {
  const kept = new RecentMap<Kept>(maxDays);
  const budget = createRateLimiter({ limit: maxPerMinute, windowMs: 60_000, clock, maxKeys: 100 });

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
    day.catch(() => kept.delete(key)); // the caller gets the error
    return day;
  };
}

async function ask(source: Source, area: Area, date: string, clock: Clock): Promise<PriceDay | undefined> {
  try {
    const day = await source.fetchDay(area, date, AbortSignal.timeout(timeoutMs));
    if (!day) return undefined;
    const { points, isSimulated } = day;
    return { date, points, isSimulated, source: isSimulated ? simulatedMarket : source.name, fetchedAt: clock.now() };
  } catch (error) {
    if (error instanceof SourceError) throw unavailable(source, error);
    throw error;
  }
}

const unavailable = ({ name }: Source, cause?: unknown): Problem =>
  new Problem('unavailable', `${name} is not answering.`, { retryAfterSeconds: 60 }, { cause });
