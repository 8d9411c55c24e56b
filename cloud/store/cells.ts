import type { DerTypeId } from '#contract/der.ts';
import type { Db, PageRange } from './engine.ts';
import { prepared } from './prepared.ts';
import type { Schema } from './schema.ts';
import { table } from './table.ts';

const cells = table('cells');
const cellDers = table('cell_ders');

/**
 * Runs a change of sites and updates the counts of their cells: subtracts what each site contributed before, and adds
 * what it contributes afterwards. The cost depends on the size of the sites, not of the cells.
 */
export async function updatingCellCounts<T>(db: Db, siteIds: readonly string[], change: () => Promise<T>): Promise<T> {
  const contributions = (): Promise<Contribution[][]> =>
    Array.fromAsync(new Set(siteIds), (site) => contributionOf(db, site));
  const before = await contributions();
  const result = await change();
  const after = await contributions();
  await addAll(db, before, -1);
  await addAll(db, after, 1);
  return result;
}

/** Counts a site that has no devices yet. */
export async function countNewSite(db: Db, cell: string | null): Promise<void> {
  if (cell !== null) await addSites(db, { h3_index: cell, site_count: 1 });
}

/** Counts the DERs of a site by type; one row without a type for a site without DERs. */
const contributionOf = prepared((db, site: string) =>
  db
    .selectFrom('sites')
    .leftJoin('devices', (join) => join.onRef('devices.site_id', '=', 'sites.id').on('devices.state', '!=', 'orphaned'))
    .leftJoin('ders', 'ders.device_id', 'devices.id')
    .where('sites.id', '=', site)
    .where('sites.cell', 'is not', null)
    .groupBy(['sites.cell', 'ders.type'])
    .select((row) => [
      row.ref('sites.cell').$notNull().as('cell'),
      'ders.type',
      row.fn.count<number>('ders.id').as('count'),
    ]),
);

type Contribution = Awaited<ReturnType<typeof contributionOf>>[number];

async function addAll(db: Db, contributions: Contribution[][], sign: 1 | -1): Promise<void> {
  for (const rows of contributions) {
    const cell = rows[0]?.cell;
    if (cell === undefined) continue; // the site has no position
    await addSites(db, { h3_index: cell, site_count: sign });
    for (const { type, count } of rows) {
      if (type) await addDers(db, { h3_index: cell, der_type: type, der_count: sign * count });
    }
    if (sign > 0) continue;
    await deleteCell(db, cell, 0);
    await deleteCellDers(db, cell, 0);
  }
}

const addSites = cells.add(['h3_index'], 'site_count');
const addDers = cellDers.add(['h3_index', 'der_type'], 'der_count');
const deleteCell = cells.delete('h3_index', 'site_count');
const deleteCellDers = cellDers.delete('h3_index', 'der_count');

export type CountedCell = Schema['cells'] & { der_types: DerTypeId[] };

const pageOfCells = cells.pages(['site_count >='], 'h3_index');
const listDersBetween = cellDers.list(['h3_index >=', 'h3_index <=', 'der_count >='], 'der_type');

/** Lists cells with at least `minSites` sites in the order of their index, and the types with at least as many DERs. */
export async function listCells(db: Db, minSites: number, page: PageRange): Promise<CountedCell[]> {
  const counted = await pageOfCells(db, page, minSites);
  const [first, last] = [counted.at(0), counted.at(-1)];
  const types = first && last ? await listDersBetween(db, first.h3_index, last.h3_index, minSites) : [];
  const byCell = Map.groupBy(types, ({ h3_index }) => h3_index);
  return counted.map((cell) => ({
    ...cell,
    der_types: (byCell.get(cell.h3_index) ?? []).map(({ der_type }) => der_type),
  }));
}

export type CountedDers = Schema['cell_ders'];

export const findCell = cells.find('h3_index');
export const listCellDers = cellDers.list(['h3_index'], 'der_type');
