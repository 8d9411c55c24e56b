import type { Db } from './engine.ts';
import type { SiteRow } from './schema.ts';
import { table } from './table.ts';

const sites = table('sites');

export const getSite = sites.get('id');
export const listSitesOf = sites.pages(['org_id'], 'id');
export const listAllSites = sites.pages([], 'id');
export const insertSite = sites.insert();
export const deleteSite = sites.delete('id');

/** Saves every column that can change. */
export async function updateSite(db: Db, { id, org_id: _, created_at: __, ...site }: SiteRow): Promise<void> {
  await db.updateTable('sites').set(site).where('id', '=', id).execute();
}
