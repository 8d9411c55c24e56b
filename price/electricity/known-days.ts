import type { PriceStore, StoredDay } from '../store/price-store.ts';
import type { Area } from './areas.ts';
import type { PriceDay } from './prices.ts';
import { RecentMap } from './recent-map.ts';

/** The days that have been fetched, in memory and on disk. */
export type KnownDays = {
  find(area: Area, date: string): PriceDay | undefined;
  keep(area: Area, day: PriceDay, raw: string | undefined): void;
};

const mostInMemory = 400; // about 2 MB of quarter-hours

export function createKnownDays(store: PriceStore): KnownDays {
  const recent = new RecentMap<PriceDay>(mostInMemory);
  const keyOf = ({ eic }: Area, date: string): string => `${eic} ${date}`;
  return {
    find(area, date) {
      const key = keyOf(area, date);
      const known = recent.get(key);
      if (known) return known;
      const stored = store.findDay(area.eic, date);
      if (!stored) return undefined;
      const day = dayOf(stored);
      recent.set(key, day);
      return day;
    },
    keep(area, day, raw) {
      const { start, end } = day.points[0]!;
      const { date, source, isSimulated, fetchedAt } = day;
      recent.set(keyOf(area, date), day); // first, so that it is served even when the disk is full
      const prices = day.points.map(({ eur_per_mwh }) => eur_per_mwh);
      store.saveDay({ eic: area.eic, date, start, stepMs: end - start, prices, source, isSimulated, fetchedAt }, raw);
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
