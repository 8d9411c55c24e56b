import type { Store } from '../store/store.ts';
import { listAllTelemetryRoutes, listCellTelemetryRoutes } from '../store/telemetry-routes.ts';
import type { Latest } from '../telemetry/latest.ts';
import { addUp, type CellPower, type CellSums, partOf } from './cell-power.ts';

export type CellSumsDeps = { store: Store; latest: Latest; cellPower: CellPower; isShared: boolean };

/** Sums over a cell: from memory when this process hears everything, else from what is stored of the cell's DERs. */
export function createCellSums({ store, latest, cellPower, isShared }: CellSumsDeps) {
  return async (cell: string, since: number): Promise<CellSums> => {
    if (!isShared) return cellPower.sums(cell, since);
    const routes = await listCellTelemetryRoutes(store.db, cell);
    const readings = await latest.get(routes.map(({ no }) => no));
    const known = routes.flatMap(({ no, der_type }) => {
      const reading = readings.get(no);
      return reading ? [partOf(der_type, reading.at, reading.values)] : [];
    });
    return addUp(known, since);
  };
}

const atOnce = 500;

/** What was heard before this start. */
export async function remember(store: Store, latest: Latest, cellPower: CellPower): Promise<void> {
  const routes = (await listAllTelemetryRoutes(store.db)).filter(({ cell }) => cell !== null);
  for (let start = 0; start < routes.length; start += atOnce) {
    const some = routes.slice(start, start + atOnce);
    const readings = await latest.get(some.map(({ no }) => no));
    for (const route of some) {
      const reading = readings.get(route.no);
      if (reading) cellPower.note(route, reading.at, reading.values);
    }
  }
}
