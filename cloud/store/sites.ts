import type { Db, PageRange } from './engine.ts';
import { limitArgument, prepared } from './prepared.ts';
import type { SiteRow } from './schema.ts';
import { table } from './table.ts';

const sites = table('sites');

export const getSite = sites.get('id');
export const listSitesOf = sites.pagesOf('org_id', 'id');
export const insertSite = sites.insert();
export const deleteSite = sites.delete('id');

const all = prepared((db, after: string, limit: number) =>
  db.selectFrom('sites').where('id', '>', after).selectAll().orderBy('id').limit(limitArgument(limit)),
);

export const listAllSites = (db: Db, { after = '', limit }: PageRange): Promise<SiteRow[]> => all(db, after, limit);

/** Saves every column that can change. */
export async function updateSite(db: Db, { id, org_id: _, created_at: __, ...site }: SiteRow): Promise<void> {
  await db.updateTable('sites').set(site).where('id', '=', id).execute();
}
