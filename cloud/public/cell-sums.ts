import { minuteMs } from '#contract/time.ts';
import { RecentMap } from '#lib/recent-map.ts';
import type { TelemetryRoute } from '../store/telemetry-registry.ts';
import type { Latest } from '../telemetry/live.ts';
import { momentOf } from '../telemetry/measured.ts';
import { addUp, type CellSums, type HeardDer, partOf } from './add-up.ts';
import { guardedSums } from './guarded-sums.ts';

export type CellSumsDeps = {
  listRoutes(cell: string): Promise<TelemetryRoute[]>;
  latest: Pick<Latest, 'get'>;
  minSites: number;
  /** other processes change the registry, too */
  isShared: boolean;
};

const maxCells = 10_000;
const largeCell = 100; // DERs; fewer are added up for each request
const frozenMs = 15 * minuteMs; // two requests must not reveal what one site did in between
const cachedMs = 1000;

/** Returns for how long the sums of a cell stay the same. Those of a small cell without a guard are always current. */
export const sumsIntervalMs = (minSites: number): number => (minSites > 1 ? frozenMs : cachedMs);

/** Adds up the newest readings of a cell. Sums of several sites are guarded, and stay the same for 15 minutes. */
export function createCellSums({ listRoutes, latest, minSites, isShared }: CellSumsDeps) {
  const isGuarded = minSites > 1;
  const windowMs = sumsIntervalMs(minSites);
  const routes = new RecentMap<Promise<TelemetryRoute[]>>(maxCells); // by cell
  let window = Number.NaN;
  let cache = new RecentMap<Promise<CellSums>>(maxCells); // of this window

  async function addUpCell(cell: string, since: number): Promise<CellSums> {
    const kept = cache;
    const ders = await (isShared ? listRoutes(cell) : keep(routes, cell, () => listRoutes(cell)));
    const readings = await latest.get(ders.map(({ no }) => no));
    const heard = ders.map((route): HeardDer => {
      const reading = readings.get(route.no);
      const part = reading && partOf(route, momentOf(reading), reading.values);
      return { der: route.der_id, site: route.site_id, type: route.der_type, part };
    });
    if (isGuarded) return guardedSums(heard, since, minSites);
    if (heard.length < largeCell) kept.delete(cell);
    return addUp(heard, since);
  }

  return {
    /** Returns the sums of readings since a time. Those of a large cell may be a second old. */
    async sums(cell: string, since: number): Promise<CellSums> {
      const asked = Math.floor(since / windowMs);
      if (asked !== window) [window, cache] = [asked, new RecentMap(maxCells)];
      return keep(cache, cell, () => addUpCell(cell, since));
    },
    /** Forgets which DERs the cells have, after a change of the registry. */
    forget: (): void => routes.clear(),
  };
}

/** Returns the cached value of a cell, or loads it. Failures are not cached. */
function keep<T>(kept: Map<string, Promise<T>>, cell: string, load: () => Promise<T>): Promise<T> {
  const known = kept.get(cell);
  if (known) return known;
  const loading = load();
  kept.set(cell, loading);
  loading.catch(() => kept.delete(cell)); // the caller handles the error
  return loading;
}
