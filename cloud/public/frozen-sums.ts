import { minuteMs } from '#contract/time.ts';
import type { Store } from '../store/store.ts';
import { listCellTelemetryRoutes } from '../store/telemetry-routes.ts';
import { type Latest, momentOf } from '../telemetry/latest.ts';
import { type CellSums, partOf } from './add-up.ts';
import { guardedSums } from './guarded-sums.ts';

export type FrozenSumsDeps = { store: Store; latest: Latest; minSites: number };

const windowMs = 15 * minuteMs;

/** Guarded sums that stay as they are for a quarter of an hour: who asks twice does not see what one site did in between. */
export function createFrozenSums({ store, latest, minSites }: FrozenSumsDeps) {
  let window = Number.NaN;
  let frozen = new Map<string, Promise<CellSums>>();

  async function addUp(cell: string, since: number): Promise<CellSums> {
    const routes = await listCellTelemetryRoutes(store.db, cell);
    const readings = await latest.get(routes.map(({ no }) => no));
    const parts = routes.map((route) => {
      const reading = readings.get(route.no);
      const part = reading && partOf(route, momentOf(reading), reading.values);
      return { der: route.der_id, site: route.site_id, type: route.der_type, part };
    });
    return guardedSums(parts, since, minSites);
  }

  return async (cell: string, since: number): Promise<CellSums> => {
    const asked = Math.floor(since / windowMs);
    if (asked !== window) {
      window = asked;
      frozen = new Map();
    }
    const known = frozen.get(cell);
    if (known) return known;
    const sums = addUp(cell, since);
    const kept = frozen;
    kept.set(cell, sums);
    sums.catch(() => kept.delete(cell)); // whoever asked is told of it
    return sums;
  };
}
