import { RecentMap } from '#lib/recent-map.ts';
import type { Store } from '../store/store.ts';
import {
  listAllTelemetryRoutes,
  listCellTelemetryRoutes,
  listGatewayTelemetryRoutes,
  type TelemetryRoute,
} from '../store/telemetry-registry.ts';
import { type Latest, momentOf } from '../telemetry/latest.ts';
import { addUp, type CellSums, partOf } from './add-up.ts';
import type { CellPower } from './cell-power.ts';

export type CellSumsDeps = { store: Store; latest: Latest; cellPower: CellPower; isShared: boolean };

const largeCell = 5000; // DERs; below that adding up costs less than anybody notices
const rememberedMs = 1000;
const mostRemembered = 10_000;

/** Sums over a cell: as they are kept when this process hears everything, else from what is stored of the cell's DERs. */
export function createCellSums({ store, latest, cellPower, isShared }: CellSumsDeps) {
  const known = new RecentMap<{ since: number; sums: CellSums }>(mostRemembered);

  /** Who asks for a large cell again within a second gets the same answer. */
  async function storedSums(cell: string, since: number): Promise<CellSums> {
    const last = known.get(cell);
    if (last && since - last.since < rememberedMs && since >= last.since) return last.sums;
    const routes = await listCellTelemetryRoutes(store.db, cell);
    const readings = await latest.get(routes.map(({ no }) => no));
    const parts = routes.flatMap((route) => {
      const reading = readings.get(route.no);
      return reading ? [partOf(route, momentOf(reading), reading.values)] : [];
    });
    const sums = addUp(parts, since);
    if (parts.length < largeCell) return sums;
    known.set(cell, { since, sums });
    return sums;
  }

  return async (cell: string, since: number): Promise<CellSums> =>
    isShared ? storedSums(cell, since) : cellPower.sums(cell, since);
}

const atOnce = 500;

type Heard = Pick<CellSumsDeps, 'store' | 'latest' | 'cellPower'>;

/** What was heard before this start. */
export async function remember(heard: Heard): Promise<void> {
  await noteLatest(await listAllTelemetryRoutes(heard.store.db), heard);
}

/** What was heard of the devices of a gateway counts where they are now. */
export async function rearrange(serial: string, heard: Heard): Promise<void> {
  const routes = await listGatewayTelemetryRoutes(heard.store.db, serial);
  heard.cellPower.keepOnly(new Set(routes.map(({ no }) => no)), serial);
  await noteLatest(routes, heard);
}

async function noteLatest(routes: readonly TelemetryRoute[], { latest, cellPower }: Heard): Promise<void> {
  for (let start = 0; start < routes.length; start += atOnce) {
    const some = routes.slice(start, start + atOnce);
    const readings = await latest.get(some.map(({ no }) => no));
    for (const route of some) {
      const reading = readings.get(route.no);
      if (reading) cellPower.note(route, momentOf(reading), reading.values);
    }
  }
}
