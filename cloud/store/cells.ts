import type { DerTypeId } from '#contract/der.ts';
import type { Db, PageRange } from './engine.ts';
import { sql } from './kysely.ts';
import { prepared } from './prepared.ts';
import type { Schema } from './schema.ts';
import { table } from './table.ts';

const cells = table('cells');
const cellDers = table('cell_ders');

type Contribution = { cell: string; ders: [DerTypeId, number][] };

/**
 * Runs a change of sites and updates the counts of their cells: subtracts what each site contributed before, and adds
 * what it contributes afterwards. The cost depends on the size of the sites, not of the cells.
 */
export async function updatingCellCounts<T>(db: Db, siteIds: readonly string[], change: () => Promise<T>): Promise<T> {
  const before = await contributions(db, siteIds);
  const result = await change();
  const after = await contributions(db, siteIds);
  await addAll(db, before, -1);
  await addAll(db, after, 1);
  return result;
}

/** Counts a site that has no devices yet. */
export async function countNewSite(db: Db, cell: string | null): Promise<void> {
  if (cell !== null) await addSites(db, cell, 1);
}

const ofSite = prepared((db, site: string) =>
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

async function contributions(db: Db, siteIds: readonly string[]): Promise<Contribution[]> {
  const found: Contribution[] = [];
  for (const site of new Set(siteIds)) {
    const rows = await ofSite(db, site);
    const ders = rows.flatMap(({ type, count }): [DerTypeId, number][] => (type ? [[type, count]] : []));
    const [row] = rows;
    if (row) found.push({ cell: row.cell, ders });
  }
  return found;
}

async function addAll(db: Db, contributions: Contribution[], sign: 1 | -1): Promise<void> {
  for (const { cell, ders } of contributions) {
    await addSites(db, cell, sign);
    for (const [type, count] of ders) await addDers(db, cell, type, sign * count);
    if (sign > 0) continue;
    await deleteCell(db, cell, 0);
    await deleteCellDers(db, cell, 0);
  }
}

const addSites = prepared((db, cell: string, count: number) =>
  db
    .insertInto('cells')
    .values({ h3_index: cell, site_count: count })
    .onConflict((conflict) =>
      conflict.column('h3_index').doUpdateSet({ site_count: sql`cells.site_count + excluded.site_count` }),
    ),
);

const addDers = prepared((db, cell: string, type: DerTypeId, count: number) =>
  db
    .insertInto('cell_ders')
    .values({ h3_index: cell, der_type: type, der_count: count })
    .onConflict((conflict) =>
      conflict
        .columns(['h3_index', 'der_type'])
        .doUpdateSet({ der_count: sql`cell_ders.der_count + excluded.der_count` }),
    ),
);

const deleteCell = cells.delete('h3_index', 'site_count');
const deleteCellDers = cellDers.delete('h3_index', 'der_count');

export type CountedCell = Schema['cells'] & { der_types: DerTypeId[] };

/** Lists cells with at least `minSites` sites in the order of their index, and the types with at least as many DERs. */
export async function listCells(
  db: Db,
  minSites: number,
  { after, limit }: { after: PageRange['after']; limit: number | undefined },
): Promise<CountedCell[]> {
  let query = db.selectFrom('cells').where('site_count', '>=', minSites).selectAll().orderBy('h3_index');
  if (after !== undefined) query = query.where('h3_index', '>', after);
  if (limit !== undefined) query = query.limit(limit);
  const counted: CountedCell[] = (await query.execute()).map((cell) => ({ ...cell, der_types: [] }));
  const [first, last] = [counted.at(0), counted.at(-1)];
  if (!first || !last) return counted;
  const byCell = new Map(counted.map((cell) => [cell.h3_index, cell]));
  const types = await db
    .selectFrom('cell_ders')
    .where('h3_index', '>=', first.h3_index)
    .where('h3_index', '<=', last.h3_index)
    .where('der_count', '>=', minSites)
    .select(['h3_index', 'der_type'])
    .orderBy('der_type')
    .execute();
  for (const { h3_index, der_type } of types) byCell.get(h3_index)?.der_types.push(der_type);
  return counted;
}

export type CountedDers = Schema['cell_ders'];

export const findCell = cells.find('h3_index');
export const listCellDers = cellDers.list(['h3_index'], 'der_type');
