import type { Db } from './engine.ts';
import { atMost, prepared } from './prepared.ts';
import type { SiteRow } from './schema.ts';
import type { Slice } from './slice.ts';

const byId = prepared((db, { id }: { id: string }) => db.selectFrom('sites').where('id', '=', id).selectAll());

/** Of a site that was authorized, so it is there. */
export async function getSite(db: Db, id: string): Promise<SiteRow> {
  const [row] = await byId(db, { id });
  return row!;
}

const all = prepared((db, { after, limit }: { after: string; limit: number }) =>
  db.selectFrom('sites').where('id', '>', after).selectAll().orderBy('id').limit(atMost(limit)),
);

const ofOrganization = prepared((db, { org, after, limit }: { org: string; after: string; limit: number }) =>
  db
    .selectFrom('sites')
    .where('org_id', '=', org)
    .where('id', '>', after)
    .selectAll()
    .orderBy('id')
    .limit(atMost(limit)),
);

export const listAllSites = (db: Db, { after, limit }: Slice): Promise<SiteRow[]> =>
  all(db, { after: after ?? '', limit });

export const listSitesOf = (db: Db, org: string, { after, limit }: Slice): Promise<SiteRow[]> =>
  ofOrganization(db, { org, after: after ?? '', limit });

/** What may change of it. */
const changing = (site: SiteRow) => ({
  name: site.name,
  latitude: site.latitude,
  longitude: site.longitude,
  cell: site.cell,
  timezone: site.timezone,
  timezone_set: site.timezone_set,
  country: site.country,
  price_area: site.price_area,
  tariff_id: site.tariff_id,
  fuse_a: site.fuse_a,
});

const insert = prepared((db, site: SiteRow) =>
  db.insertInto('sites').values({ id: site.id, org_id: site.org_id, created_at: site.created_at, ...changing(site) }),
);

export async function insertSite(db: Db, site: SiteRow): Promise<void> {
  await insert(db, site);
}

const update = prepared((db, site: SiteRow) => db.updateTable('sites').set(changing(site)).where('id', '=', site.id));

export async function updateSite(db: Db, site: SiteRow): Promise<void> {
  await update(db, site);
}

export async function deleteSite(db: Db, id: string): Promise<void> {
  await db.deleteFrom('sites').where('id', '=', id).execute();
}
