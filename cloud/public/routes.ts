import * as contract from '#contract/cloud/public.ts';
import { publicDerTypes, publicDeviceTypes } from '#contract/der.ts';
import { recentMs } from '#contract/freshness.ts';
import { fieldProblem, Problem } from '#contract/problem.ts';
import { telemetryFields } from '#contract/telemetry.ts';
import { Answer } from '#lib/http/mount.ts';
import type { CloudMount } from '../access/door.ts';
import { decodeCursor, nextLink, type PageQuery, pageOf, sliceOf } from '../access/paging.ts';
import { centreOf } from '../sites/place.ts';
import { type CountedCell, findCell, listCellDers, listCells } from '../store/cells.ts';
import type { CellSums } from './add-up.ts';
import { cellStats } from './stats.ts';

export type PublicDeps = {
  minSites: number;
  /** sums over the newest readings of a cell */
  sums(cell: string, since: number): Promise<CellSums> | CellSums;
};

export function publicRoutes(mount: CloudMount, { minSites, sums }: PublicDeps): void {
  mount(contract.listCells, async ({ query, db }) => {
    const { limit, cursor } = query;
    const after = cursor === undefined ? undefined : decodeCursor(cursor);
    const cells = await listCells(db, minSites, { after, limit: limit === undefined ? undefined : limit + 1 });
    const hasMore = limit !== undefined && cells.length > limit;
    const shown = hasMore ? cells.slice(0, limit) : cells;
    const headers = hasMore ? { link: nextLink('/public/cells', query, shown.at(-1)!.h3_index) } : {};
    return new Answer(200, { cells: shown.map(cellOf) }, headers);
  });

  mount(contract.getCellStats, async ({ params, db, now }) => {
    const cell = await findCell(db, params.h3_index);
    if (!cell || cell.site_count < minSites)
      throw new Problem('not_found', 'There is no cell with this index that has sites.');
    const found = await sums(params.h3_index, now - recentMs);
    // Fewer of a type than that are of fewer sites: one charger in the cell would tell when its owner comes home.
    const counts = (await listCellDers(db, params.h3_index)).filter(
      ({ der_type, der_count }) => der_count >= minSites && !found.hidden.has(der_type),
    );
    return cellStats(params.h3_index, cell.site_count, counts, found);
  });

  mount(contract.listDerTypes, ({ query }) => typesOf('/public/der-types', query, publicDerTypes));

  mount(contract.getDerType, ({ params }) => {
    const type = publicDerTypes.find(({ id }) => id === params.id);
    if (!type) throw new Problem('not_found', 'There is no DER type with this id; GET /public/der-types lists them.');
    return type;
  });

  mount(contract.listDeviceTypes, ({ query }) => typesOf('/public/device-types', query, publicDeviceTypes));

  mount(contract.listTelemetryFields, () => [...telemetryFields]);
}

/** A page of a list that stands in its own order. */
function typesOf<T extends { id: string }>(path: string, query: PageQuery, types: readonly T[]): Answer<T[]> {
  const { after, limit } = sliceOf(query);
  const last = types.findIndex(({ id }) => id === after);
  if (after !== undefined && last < 0) {
    throw fieldProblem('invalid_request', 'query.cursor', 'is not one of ours; begin without it');
  }
  const rows = types.slice(last + 1, last + 1 + limit);
  return pageOf(
    path,
    query,
    rows,
    ({ id }) => id,
    (type) => type,
  );
}

function cellOf({ h3_index, site_count, der_types }: CountedCell): contract.Cell {
  const { latitude, longitude } = centreOf(h3_index);
  return { h3_index, center_lat: latitude, center_lng: longitude, site_count, der_types };
}
