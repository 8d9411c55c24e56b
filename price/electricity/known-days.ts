import type { Clock } from '#lib/clock.ts';
import type { Logger } from '#lib/log.ts';
import { RecentMap } from '#lib/recent-map.ts';
import type { PriceStore, StoredDay } from '../store/price-store.ts';
import type { Area } from './areas.ts';
import { marketDay } from './market-day.ts';
import type { PriceDay } from './prices.ts';

/** The days that have been fetched, in memory and on disk. */
export type KnownDays = {
  find(area: Area, date: string): PriceDay | undefined;
  /** The document that the day was read from. */
  findRaw(area: Area, date: string): string | undefined;
  keep(area: Area, day: PriceDay, raw: string | undefined): void;
  /** The day in memory whose time was over, when there is one: it is served on until then. */
  serveOn(area: Area, date: string, until: number): PriceDay | undefined;
  /** When the last one was. */
  fetchedAt(): number | undefined;
};

const mostInMemory = 400; // about 2 MB of quarter-hours

export function createKnownDays(store: PriceStore, { clock, log }: { clock: Clock; log: Logger }): KnownDays {
  const recent = new RecentMap<PriceDay>(mostInMemory);
  let lastFetchedAt: number | undefined;
  let isTold = false;

  /** What stands on a damaged page is not known, and fetched again. */
  function read<Value>(find: () => Value | undefined): Value | undefined {
    try {
      return find();
    } catch (error) {
      if (!isTold) log.error({ err: error }, 'stored prices could not be read, they are fetched again');
      isTold = true;
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
      if (!stored || stored.start !== marketDay(area, date).start) return undefined; // 0.1.0 stored Irish days by Irish time
      const day = dayOf(stored);
      recent.set(key, day);
      return day;
    },
    findRaw: ({ eic }, date) => read(() => store.findRaw(eic, date)),
    keep(area, day, raw) {
      const { start, end } = day.points[0]!;
      const { date, source, isSimulated, fetchedAt } = day;
      recent.set(keyOf(area, date), day); // first, so that it is served even when the disk is full
      lastFetchedAt = fetchedAt;
      if (day.until !== undefined) return;
      const prices = day.points.map(({ eur_per_mwh }) => eur_per_mwh);
      store.saveDay({ eic: area.eic, date, start, stepMs: end - start, prices, source, isSimulated, fetchedAt }, raw);
    },
    serveOn(area, date, until) {
      const key = keyOf(area, date);
      const known = recent.get(key);
      if (!known) return undefined;
      const day = { ...known, until };
      recent.set(key, day);
      return day;
    },
    fetchedAt() {
      lastFetchedAt ??= read(() => store.lastFetchedAt()); // looks at every day on disk
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
