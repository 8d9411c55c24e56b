import * as contract from '#contract/cloud/public.ts';
import { type DerTypeId, publicDerTypes, publicDeviceTypes } from '#contract/der.ts';
import { fieldProblem, Problem } from '#contract/problem.ts';
import { telemetryFields } from '#contract/telemetry.ts';
import { recentMs } from '#contract/time.ts';
import { Answer } from '#lib/http/mount.ts';
import type { CloudMount } from '../access/door.ts';
import { asItIs, decodeCursor, idOf, nextLink, type PageQuery, pageOf, sliceOf } from '../access/paging.ts';
import { centreOf } from '../sites/site.ts';
import { type CountedCell, type CountedDers, findCell, listCellDers, listCells } from '../store/cells.ts';
import { roundedMean } from '../store/telemetry/buckets.ts';
import type { CellSums, CountedSum } from './add-up.ts';
import { sumsIntervalMs } from './cell-sums.ts';

const maxCells = 20_000_000; // all: H3 has 14 million cells of this resolution

export type PublicDeps = {
  minSites: number;
  sums(cell: string, since: number): Promise<CellSums> | CellSums;
};

export function publicRoutes(mount: CloudMount, { minSites, sums }: PublicDeps): void {
  mount(contract.listCells, async ({ query, db }) => {
    const { limit = maxCells, cursor } = query;
    const after = cursor === undefined ? undefined : decodeCursor(cursor);
    const cells = await listCells(db, minSites, { after, limit: limit + 1 });
    const shown = cells.slice(0, limit);
    const last = cells.length > limit ? shown.at(-1) : undefined;
    const headers = last ? { link: nextLink('/public/cells', query, last.h3_index) } : undefined;
    return new Answer(200, { cells: shown.map(cellOf) }, headers);
  });

  mount(contract.getCellStats, async ({ params, db, now }) => {
    const index = params.h3_index.toLowerCase();
    const cell = await findCell(db, index);
    if (!cell || cell.site_count < minSites)
      throw new Problem('not_found', 'There is no cell with sites at this index.');
    const found = await sums(index, now - recentMs);
    // Smaller counts may belong to a single site: one charger in a cell would reveal when its owner comes home.
    const counts = (await listCellDers(db, index)).filter(
      ({ der_type, der_count }) => der_count >= minSites && !found.hidden.has(der_type),
    );
    return cellStats(index, cell.site_count, counts, found);
  });

  mount(contract.getPublicRules, () => ({
    min_sites: minSites,
    totals_interval_s: sumsIntervalMs(minSites) / 1000,
  }));

  mount(contract.listDerTypes, ({ query }) => typesOf('/public/der-types', query, publicDerTypes));

  mount(contract.getDerType, ({ params }) => {
    const type = publicDerTypes.find(({ id }) => id === params.id);
    if (!type) throw new Problem('not_found', 'There is no DER type with this id; GET /public/der-types lists them.');
    return type;
  });

  mount(contract.listDeviceTypes, ({ query }) => typesOf('/public/device-types', query, publicDeviceTypes));

  mount(contract.listTelemetryFields, () => [...telemetryFields]);
}

function typesOf<T extends { id: string }>(path: string, query: PageQuery, types: readonly T[]): Answer<T[]> {
  const { after, limit } = sliceOf(query);
  const last = types.findIndex(({ id }) => id === after);
  if (after !== undefined && last < 0) {
    throw fieldProblem('invalid_request', 'query.cursor', 'is not one of ours; begin without it');
  }
  const rows = types.slice(last + 1, last + 1 + limit);
  return pageOf(path, query, rows, idOf, asItIs);
}

function cellOf({ h3_index, site_count, der_types }: CountedCell): contract.Cell {
  const { latitude, longitude } = centreOf(h3_index);
  return { h3_index, center_lat: latitude, center_lng: longitude, site_count, der_types };
}

/** Returns the public figures of a cell: counts of all DERs, and sums of the recent readings. */
function cellStats(
  h3_index: string,
  site_count: number,
  counts: readonly CountedDers[],
  sums: CellSums,
): contract.CellStats {
  const der_summary = Object.fromEntries(
    counts.map(({ der_type, der_count }) => [der_type, typeStats(der_type, der_count, sums)]),
  );
  const types = Object.values(der_summary);
  return {
    h3_index,
    site_count,
    der_count: types.reduce((sum, { count }) => sum + count, 0),
    total_power_w: roundedMean(types.reduce((sum, { total_power_w }) => sum + total_power_w, 0)),
    avg_frequency_hz: meanOf(sums.hz),
    der_summary,
  };
}

function typeStats(type: DerTypeId, count: number, { types }: CellSums): contract.CellStats['der_summary'][string] {
  const sums = types.get(type);
  const [imported, exported] = [sums?.importW.value ?? 0, sums?.exportW.value ?? 0];
  return {
    count,
    total_power_w: roundedMean(imported + exported),
    total_export_w: roundedMean(exported),
    total_import_w: roundedMean(imported),
    avg_soc_pct: sums ? meanOf(sums.soc, 100) : null,
  };
}

const meanOf = ({ value, count }: CountedSum, factor = 1): number | null =>
  count > 0 ? roundedMean((value / count) * factor) : null;
