import { Problem } from '#contract/problem.ts';
import { hourMs, minuteMs } from '#contract/time.ts';
import type { Clock } from '#lib/clock.ts';
import type { Logger } from '#lib/log.ts';
import { RecentMap } from '#lib/recent-map.ts';
import { openPriceStore, type PriceStore, type StoredDay } from '../store/price-store.ts';
import { type Area, areas } from './areas.ts';
import { dueAt, marketDateAt, marketDay, type PriceDay, type Prices } from './market-day.ts';
import { createRates, type RateSettings } from './rates.ts';
import { createRefresh } from './refresh.ts';
import { isCoarse, type Source, simulatedMarket } from './source.ts';
import { createSourceChain, ServiceClosed, type SourceStatus } from './source-chain.ts';
import { createUpstream, type Fetch } from './upstream.ts';

export type PricesOptions = {
  dataDir: string;
  sources: readonly Source[];
  rates?: RateSettings;
  clock: Clock;
  log: Logger;
  fetch?: Fetch;
};

export type OpenPrices = Prices & {
  now(): number;
  /** Returns the market document that a source sent for the day, if it was one. */
  raw(area: Area, date: string): Promise<string | undefined>;
  /** Returns when a day was last fetched, also before a restart; undefined when none ever was. */
  fetchedAt(): number | undefined;
  start(): void;
  /** Fetches what is due now; `start` does this every minute. */
  refresh(): Promise<void>;
  status(): SourceStatus[];
  close(): Promise<void>;
};

const firstDate = '2015-01-01'; // the market's records begin in this month
const maxFetchMs = 25_000;
const maxParallel = 200;
const maxAbsences = 2000;

/** How long to wait before asking again for a day that no source has, or whose sources failed. */
const absentMs = { recent: minuteMs, past: hourMs, failed: 20_000 };

const coarseMs = 10 * minuteMs; // how long hourly prices stand in for quarter-hours

type Absence = { until: number; isFailure: boolean };

/** Opens the price cache of all areas: each day is fetched once, whole, from the first source that has it. */
export function openPrices({ dataDir, sources, rates = {}, clock, log, fetch }: PricesOptions): OpenPrices {
  const onDamaged = (file: string): void => log.warn({ file }, 'damaged price database moved aside');
  const store = openPriceStore({ dataDir, onDamaged });
  const known = createPriceCache(store, { clock, log });
  const asker = createSourceChain(sources, { clock, log });
  const exchange = createRates(rates, { upstream: createUpstream(fetch), store, clock, log });
  const running = new Map<string, Promise<PriceDay | undefined>>();
  const absent = new RecentMap<Absence>(maxAbsences);
  const closing = new AbortController();

  async function fetchDay(area: Area, date: string, key: string): Promise<PriceDay | undefined> {
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(maxFetchMs)]);
    const outcome = await asker.fetchDay(area, date, signal);
    if (closing.signal.aborted) throw unavailable();
    const now = clock.now();
    if (typeof outcome === 'string') {
      const isPast = date < marketDateAt(area, now);
      const isFailure = outcome === 'failed' || (outcome === 'partly' && isPast); // a failed source is likely to have it
      const until = now + absentMs[isFailure ? 'failed' : isPast ? 'past' : 'recent'];
      const coarse = known.extend(area, date, until);
      if (coarse) return coarse;
      absent.set(key, { until, isFailure });
      if (isFailure) throw unavailable();
      return undefined;
    }
    const { points, isSimulated, raw } = outcome.day;
    const source = isSimulated ? simulatedMarket : outcome.source.name;
    const until = isCoarse(outcome.source, date) && { until: now + coarseMs };
    const day = { date, points, source, isSimulated, fetchedAt: now, ...until };
    absent.delete(key);
    try {
      known.save(area, day, raw);
    } catch (error) {
      log.error({ err: error, area: area.code, date }, 'failed to store prices, keeping them in memory only');
    }
    return day;
  }

  async function day(area: Area, date: string): Promise<PriceDay | undefined> {
    const found = known.find(area, date);
    if (found || !area.isPriced || date < firstDate || clock.now() < dueAt(date)) return found;

    const key = `${area.eic} ${date}`;
    const absence = absent.get(key);
    if (absence && clock.now() < absence.until) {
      if (absence.isFailure) throw unavailable();
      return undefined;
    }
    let fetching = running.get(key);
    if (!fetching) {
      if (running.size >= maxParallel) {
        return known.extend(area, date, clock.now() + absentMs.failed) ?? Promise.reject(unavailable());
      }
      fetching = fetchDay(area, date, key).finally(() => running.delete(key));
      running.set(key, fetching);
    }
    return fetching;
  }

  const byEic = new Map(areas.toReversed().map((area) => [area.eic, area]));
  const refresh = createRefresh({
    areasInUse: (since) => store.areasSince(since).flatMap((eic) => byEic.get(eic) ?? []),
    day,
    clock,
    log,
  });

  return {
    now: () => clock.now(),
    day,
    rate: (currency) => exchange.find(currency),
    peek: (area, date) => known.find(area, date),
    raw: async (area, date) => ((await day(area, date)) ? known.findRaw(area, date) : undefined),
    fetchedAt: () => known.fetchedAt(),
    start: () => refresh.start(),
    refresh: () => refresh.run(),
    status: () => asker.status(),
    async close() {
      refresh.stop();
      closing.abort(new ServiceClosed('The service closes.'));
      await Promise.allSettled(running.values());
      store.close();
    },
  };
}

const unavailable = (): Problem =>
  new Problem('unavailable', 'No price source can be reached, and this day is not cached.', {
    retryAfterSeconds: 30,
  });

/** Fetched days, in memory and on disk. */
type PriceCache = {
  find(area: Area, date: string): PriceDay | undefined;
  /** Returns the document that the day was read from. */
  findRaw(area: Area, date: string): string | undefined;
  save(area: Area, day: PriceDay, raw: string | undefined): void;
  /** Extends the life of an expired day in memory, if there is one. */
  extend(area: Area, date: string, until: number): PriceDay | undefined;
  /** Returns when a day was last fetched. */
  fetchedAt(): number | undefined;
};

const maxInMemory = 400; // about 2 MB of quarter-hours

function createPriceCache(store: PriceStore, { clock, log }: { clock: Clock; log: Logger }): PriceCache {
  const recent = new RecentMap<PriceDay>(maxInMemory);
  let lastFetchedAt: number | undefined;
  let isReported = false;

  /** Treats a day on a damaged database page as missing, so that it is fetched again. */
  function read<Value>(find: () => Value | undefined): Value | undefined {
    try {
      return find();
    } catch (error) {
      if (!isReported) log.error({ err: error }, 'failed to read stored prices, fetching them again');
      isReported = true;
      return undefined;
    }
  }

  const keyOf = ({ eic }: Area, date: string): string => `${eic} ${date}`;
  return {
    find(area, date) {
      const key = keyOf(area, date);
      const known = recent.get(key);
      if (known && clock.now() < (known.until ?? Number.POSITIVE_INFINITY)) return known;
      const stored = read(() => store.findDay(area.eic, date));
      if (!stored || stored.start !== marketDay(area, date).start) return undefined; // version 0.1.0 stored Irish days in Irish time
      const day = dayOf(stored);
      recent.set(key, day);
      return day;
    },
    findRaw: ({ eic }, date) => read(() => store.findRaw(eic, date)),
    save(area, day, raw) {
      const { start, end } = day.points[0]!;
      const { date, source, isSimulated, fetchedAt } = day;
      recent.set(keyOf(area, date), day); // before storing, so that it is served even when the disk is full
      lastFetchedAt = fetchedAt;
      if (day.until !== undefined) return;
      const prices = day.points.map(({ eur_per_mwh }) => eur_per_mwh);
      store.saveDay({ eic: area.eic, date, start, stepMs: end - start, prices, source, isSimulated, fetchedAt }, raw);
    },
    extend(area, date, until) {
      const key = keyOf(area, date);
      const known = recent.get(key);
      if (!known) return undefined;
      const day = { ...known, until };
      recent.set(key, day);
      return day;
    },
    fetchedAt() {
      lastFetchedAt ??= read(() => store.lastFetchedAt()); // scans every stored day
      return lastFetchedAt;
    },
  };
}

function dayOf({ date, start, stepMs, prices, source, isSimulated, fetchedAt }: StoredDay): PriceDay {
  const points = prices.map((eur_per_mwh, n) => ({
    start: start + n * stepMs,
    end: start + (n + 1) * stepMs,
    eur_per_mwh,
  }));
  return { date, points, source, isSimulated, fetchedAt };
}
