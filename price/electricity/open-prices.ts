import { Problem } from '#contract/problem.ts';
import { dayMs, hourMs, minuteMs } from '#contract/time.ts';
import { addDays } from '#contract/time-zone.ts';
import type { Clock } from '#lib/clock.ts';
import { createSchedule } from '#lib/every.ts';
import type { Logger } from '#lib/log.ts';
import { RecentMap } from '#lib/recent-map.ts';
import { openPriceStore, type PriceStore } from '../store/price-store.ts';
import { type Area, findArea } from './areas.ts';
import { dueAt, marketDateAt, marketDay, type PriceDay } from './market-day.ts';
import { createRates, type RateSettings } from './rates.ts';
import { type FetchedDay, isCoarse, type Source, simulatedMarket } from './source.ts';
import { createSourceChain, ServiceClosed } from './source-chain.ts';
import { createUpstream } from './upstream.ts';

export type PricesOptions = {
  dataDir: string;
  sources: readonly Source[];
  rates?: RateSettings;
  clock: Clock;
  log: Logger;
};

const firstDate = '2015-01-01'; // the market's records begin in this month
const maxFetchMs = 25_000;
const maxParallel = 200;
const maxAbsences = 2000;
const minRangeDays = 2;
const maxParallelMonths = 60;
const parallelMonthsPerRequest = 3;

/** How long to wait before asking again for a day that no source has, or whose sources failed. */
const absentMs = { recent: minuteMs, past: hourMs, failed: 20_000 };

const coarseMs = 10 * minuteMs; // how long hourly prices stand in for quarter-hours

type Absence = { until: number; isFailure: boolean };

export type OpenPrices = ReturnType<typeof openPrices>;

/** Opens the price cache of all areas: each day is fetched once, whole, from the first source that has it. */
export function openPrices({ dataDir, sources, rates = {}, clock, log }: PricesOptions) {
  const onDamaged = (file: string): void => log.warn({ file }, 'damaged price database moved aside');
  const store = openPriceStore({ dataDir, onDamaged });
  const known = createPriceCache(store, { clock, log });
  const asker = createSourceChain(sources, { clock, log });
  const exchange = createRates(rates, { upstream: createUpstream(), store, clock, log });
  const running = new Map<string, Promise<PriceDay | undefined>>();
  const loading = new Map<string, Promise<void>>();
  const absent = new RecentMap<Absence>(maxAbsences);
  const closing = new AbortController();

  async function fetchDay(area: Area, date: string): Promise<PriceDay | undefined> {
    const key = keyOf(area, date);
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
    return keep(area, date, outcome);
  }

  function keep(area: Area, date: string, fetched: { day: FetchedDay; source: Source }): PriceDay {
    const { points, isSimulated, raw } = fetched.day;
    const source = isSimulated ? simulatedMarket : fetched.source.name;
    const now = clock.now();
    const until = isCoarse(fetched.source, date) && { until: now + coarseMs };
    const day = { date, points, source, isSimulated, fetchedAt: now, ...until };
    absent.delete(keyOf(area, date));
    try {
      known.save(area, day, raw);
    } catch (error) {
      log.error({ err: error, area: area.code, date }, 'failed to store prices, keeping them in memory only');
    }
    return day;
  }

  /** Fetches days of one month, which must be past. */
  async function fetchMonth(area: Area, dates: readonly string[]): Promise<void> {
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(maxFetchMs)]);
    const { days, isComplete } = await asker.fetchRange(area, dates, signal);
    if (closing.signal.aborted) throw unavailable();
    const until = clock.now() + absentMs.past;
    for (const date of dates) {
      const fetched = days.get(date);
      if (fetched) keep(area, date, fetched);
      else if (isComplete) absent.set(keyOf(area, date), { until, isFailure: false });
    }
  }

  /** Fetches missing past days by the month. Days that are still missing then are fetched one by one, by `day`. */
  async function load(area: Area, dates: readonly string[]): Promise<void> {
    if (!area.isPriced) return;
    const today = marketDateAt(area, clock.now());
    const isWanted = (date: string): boolean =>
      date < today &&
      date >= firstDate &&
      clock.now() >= (absent.get(keyOf(area, date))?.until ?? 0) &&
      !known.find(area, date);
    const months = Map.groupBy(dates.filter(isWanted), (date) => date.slice(0, 7));
    const waiting = [...months].filter(([, wanted]) => wanted.length >= minRangeDays);
    const fetchNext = async (): Promise<void> => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const [month, wanted] = next;
        const key = keyOf(area, month);
        if (!loading.has(key) && loading.size >= maxParallelMonths) throw unavailable();
        const fetching = loading.get(key) ?? fetchMonth(area, wanted).finally(() => loading.delete(key));
        loading.set(key, fetching);
        await fetching;
      }
    };
    await Promise.all(Array.from({ length: parallelMonthsPerRequest }, fetchNext));
  }

  async function day(area: Area, date: string): Promise<PriceDay | undefined> {
    const found = known.find(area, date);
    if (found || !area.isPriced || date < firstDate || clock.now() < dueAt(date)) return found;

    const key = keyOf(area, date);
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
      fetching = fetchDay(area, date).finally(() => running.delete(key));
      running.set(key, fetching);
    }
    return fetching;
  }

  const areasSince = (date: string): Area[] => store.areasSince(date).flatMap((eic) => findArea(eic) ?? []);
  const refresh = createRefresh(areasSince, day, { clock, log });

  return {
    now: (): number => clock.now(),
    day,
    load,
    rate: exchange.find,
    peek: known.find,
    /** Returns the market document that a source sent for the day, if it was one. */
    raw: async (area: Area, date: string) => ((await day(area, date)) ? known.findRaw(area, date) : undefined),
    /** Returns when a day was last fetched, also before a restart; undefined when none ever was. */
    fetchedAt: known.fetchedAt,
    start: refresh.start,
    /** Fetches what is due now; `start` does this every minute. */
    refresh: refresh.run,
    status: asker.status,
    async close(): Promise<void> {
      refresh.stop();
      closing.abort(new ServiceClosed('The service closes.'));
      await Promise.allSettled([...running.values(), ...loading.values()]);
      store.close();
    },
  };
}

const unavailable = (): Problem => {
  const sentence = 'No price source can be reached, and this day is not cached.';
  return new Problem('unavailable', sentence, { retryAfterSeconds: 30 });
};

const maxInMemory = 400; // about 2 MB of quarter-hours

function createPriceCache(store: PriceStore, { clock, log }: { clock: Clock; log: Logger }) {
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

  return {
    find(area: Area, date: string): PriceDay | undefined {
      const key = keyOf(area, date);
      const known = recent.get(key);
      if (known && clock.now() < (known.until ?? Number.POSITIVE_INFINITY)) return known;
      const stored = read(() => store.findDay(area.eic, date));
      // Version 0.1.0 stored Irish days in Irish time.
      if (!stored || stored.points[0]?.start !== marketDay(area, date).start) return undefined;
      recent.set(key, stored);
      return stored;
    },
    findRaw: ({ eic }: Area, date: string): string | undefined => read(() => store.findRaw(eic, date)),
    save(area: Area, day: PriceDay, raw: string | undefined): void {
      recent.set(keyOf(area, day.date), day); // before storing, so that it is served even when the disk is full
      lastFetchedAt = day.fetchedAt;
      if (day.until === undefined) store.saveDay(area.eic, day, raw);
    },
    /** Extends the life of an expired day in memory, if there is one. */
    extend(area: Area, date: string, until: number): PriceDay | undefined {
      const known = recent.get(keyOf(area, date));
      if (!known) return undefined;
      const day = { ...known, until };
      recent.set(keyOf(area, date), day);
      return day;
    },
    fetchedAt(): number | undefined {
      lastFetchedAt ??= read(() => store.lastFetchedAt()); // scans every stored day
      return lastFetchedAt;
    },
  };
}

const keyOf = ({ eic }: Area, date: string): string => `${eic} ${date}`;

const lookMs = 60_000;
const pauseMs = 10 * minuteMs;
const jitterMs = 5 * minuteMs;
const spreadMs = 2 * minuteMs; // spreads the requests of many installations

/** Prefetches today and tomorrow for recently used areas, from 11:00 UTC until tomorrow is published. */
function createRefresh(
  areasSince: (date: string) => readonly Area[],
  day: (area: Area, date: string) => Promise<PriceDay | undefined>,
  { clock, log }: { clock: Clock; log: Logger },
) {
  const spread = Math.random() * spreadMs;
  const nextAt = new Map<string, number>();
  const schedule = createSchedule(log, [lookMs, run, 'fetching prices']);
  let isStopped = false;

  async function fetchMissing(area: Area, date: string): Promise<void> {
    const key = keyOf(area, date);
    const now = clock.now();
    if (now < dueAt(date) + spread || now < (nextAt.get(key) ?? 0)) return;
    nextAt.set(key, now + pauseMs + Math.random() * jitterMs);
    try {
      const found = await day(area, date);
      if (found && found.until === undefined) nextAt.set(key, Number.POSITIVE_INFINITY);
    } catch (error) {
      if (!(error instanceof Problem)) throw error; // source failures are already logged
    }
  }

  async function run(): Promise<void> {
    const now = clock.now();
    const since = new Date(now - 7 * dayMs).toISOString().slice(0, 10);
    for (const area of areasSince(since)) {
      const today = marketDateAt(area, now);
      for (const date of [today, addDays(today, 1)]) if (!isStopped) await fetchMissing(area, date);
    }
    for (const key of nextAt.keys()) if (key.slice(-10) < since) nextAt.delete(key);
  }

  return {
    run,
    start: schedule.start,
    stop(): void {
      isStopped = true;
      schedule.stop();
    },
  };
}
