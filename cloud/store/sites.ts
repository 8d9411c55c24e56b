import type { Db, PageRange } from './engine.ts';
import { limitArgument, prepared, takeFirstOrThrow } from './prepared.ts';
import type { SiteRow } from './schema.ts';

const byId = prepared((db, { id }: { id: string }) => db.selectFrom('sites').where('id', '=', id).selectAll());

export const getSite = (db: Db, id: string): Promise<SiteRow> => takeFirstOrThrow(byId(db, { id }));

const all = prepared((db, { after, limit }: { after: string; limit: number }) =>
  db.selectFrom('sites').where('id', '>', after).selectAll().orderBy('id').limit(limitArgument(limit)),
);

const ofOrganization = prepared((db, { org, after, limit }: { org: string; after: string; limit: number }) =>
  db
    .selectFrom('sites')
    .where('org_id', '=', org)
    .where('id', '>', after)
    .selectAll()
    .orderBy('id')
    .limit(limitArgument(limit)),
);

export const listAllSites = (db: Db, { after, limit }: PageRange): Promise<SiteRow[]> =>
  all(db, { after: after ?? '', limit });

export const listSitesOf = (db: Db, org: string, { after, limit }: PageRange): Promise<SiteRow[]> =>
  ofOrganization(db, { org, after: after ?? '', limit });

const changeableColumns = (site: SiteRow) => ({
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
  db
    .insertInto('sites')
    .values({ id: site.id, org_id: site.org_id, created_at: site.created_at, ...changeableColumns(site) }),
);

export async function insertSite(db: Db, site: SiteRow): Promise<void> {
  await insert(db, site);
}

const update = prepared((db, site: SiteRow) =>
  db.updateTable('sites').set(changeableColumns(site)).where('id', '=', site.id),
);

export async function updateSite(db: Db, site: SiteRow): Promise<void> {
  await update(db, site);
}

export async function deleteSite(db: Db, id: string): Promise<void> {
  await db.deleteFrom('sites').where('id', '=', id).execute();
}
