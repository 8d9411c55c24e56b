import { RecentMap } from '#lib/recent-map.ts';
import type { Store } from '../store/store.ts';
import {
  listAllTelemetryRoutes,
  listCellTelemetryRoutes,
  listGatewayTelemetryRoutes,
  type TelemetryRoute,
} from '../store/telemetry-registry.ts';
import type { Latest } from '../telemetry/live.ts';
import { momentOf } from '../telemetry/measured.ts';
import { addUp, type CellSums, partOf } from './add-up.ts';
import type { CellPower } from './cell-power.ts';

export type CellSumsDeps = { store: Store; latest: Latest; cellPower: CellPower; isShared: boolean };

const largeCell = 5000; // DERs; summing fewer is fast
const cachedMs = 1000;
const maxCachedCells = 10_000;

/** Returns the sums of a cell: from memory if this process receives all readings, else computed from the store. */
export function createCellSums({ store, latest, cellPower, isShared }: CellSumsDeps) {
  const known = new RecentMap<{ since: number; sums: CellSums }>(maxCachedCells);

  /** Caches the sums of large cells for a second. */
  async function storedSums(cell: string, since: number): Promise<CellSums> {
    const last = known.get(cell);
    if (last && since - last.since < cachedMs && since >= last.since) return last.sums;
    const routes = await listCellTelemetryRoutes(store.db, cell);
    const readings = await latest.get(routes.map(({ no }) => no));
    const parts = routes.flatMap((route) => {
      const reading = readings.get(route.no);
      return reading ? [{ part: partOf(route, momentOf(reading), reading.values) }] : [];
    });
    const sums = addUp(parts, since);
    if (parts.length >= largeCell) known.set(cell, { since, sums });
    return sums;
  }

  return async (cell: string, since: number): Promise<CellSums> =>
    isShared ? storedSums(cell, since) : cellPower.sums(cell, since);
}

const batchSize = 500;

type Heard = Pick<CellSumsDeps, 'store' | 'latest' | 'cellPower'>;

/** Loads the latest readings at the start. */
export async function remember(heard: Heard): Promise<void> {
  await noteLatest(await listAllTelemetryRoutes(heard.store.db), heard);
}

/** Moves the readings of a gateway's devices to their current cells. */
export async function rearrange(serial: string, heard: Heard): Promise<void> {
  const routes = await listGatewayTelemetryRoutes(heard.store.db, serial);
  heard.cellPower.keepOnly(new Set(routes.map(({ no }) => no)), serial);
  await noteLatest(routes, heard);
}

async function noteLatest(routes: readonly TelemetryRoute[], { latest, cellPower }: Heard): Promise<void> {
  for (let start = 0; start < routes.length; start += batchSize) {
    const some = routes.slice(start, start + batchSize);
    const readings = await latest.get(some.map(({ no }) => no));
    for (const route of some) {
      const reading = readings.get(route.no);
      if (reading) cellPower.note(route, momentOf(reading), reading.values);
    }
  }
}
