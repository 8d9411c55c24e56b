import type { InferResult } from 'kysely';
import type { MembershipOrigin } from '#contract/cloud/organizations.ts';
import type { Db, PageRange } from './engine.ts';
import { sql } from './kysely.ts';
import { prepared } from './prepared.ts';
import { countUsed } from './quotas.ts';
import { table } from './table.ts';

/** An organization with its owner, and how the viewer became a member. */
export type OwnedOrganization = InferResult<ReturnType<typeof withOwner>>[number];

/** Selects organizations; the owner shown is the member who has been an owner for longest. */
const withOwner = (db: Db, viewer: string) =>
  db
    .selectFrom('organizations')
    .select(['organizations.id', 'organizations.name', 'organizations.created_at'])
    .select([
      sql<string>`(select identity_id from members where org_id = organizations.id and role = 'owner'
        order by joined_at, identity_id limit 1)`.as('owner_id'),
      sql<string | null>`(select identities.name from members
        inner join identities on identities.id = members.identity_id
        where org_id = organizations.id and role = 'owner'
        order by joined_at, identity_id limit 1)`.as('owner_name'),
      sql<MembershipOrigin | null>`(select origin from members
        where org_id = organizations.id and identity_id = ${viewer})`.as('origin'),
    ]);

export const getOrganization = (db: Db, id: string, viewer: string): Promise<OwnedOrganization> =>
  withOwner(db, viewer).where('organizations.id', '=', id).executeTakeFirstOrThrow();

/** Lists organizations: all, those with these ids, or those of a member. */
export function listOrganizations(
  db: Db,
  viewer: string,
  { after = '', limit }: PageRange,
  { ids, member }: { ids?: readonly string[] | undefined; member?: string | undefined },
): Promise<OwnedOrganization[]> {
  let page = withOwner(db, viewer).where('organizations.id', '>', after).orderBy('organizations.id').limit(limit);
  if (ids) page = page.where('organizations.id', 'in', ['', ...ids]); // a list in SQL must not be empty
  if (member !== undefined) {
    const ofMember = db.selectFrom('members').where('identity_id', '=', member).where('org_id', '>', after);
    page = page.where('organizations.id', 'in', ofMember.select('org_id'));
  }
  return page.execute();
}

const memberships = prepared((db, member: string, from: string) => {
  const ofMember = db.selectFrom('members').where('identity_id', '=', member).where('org_id', '>=', from);
  return ofMember.select('org_id').orderBy('org_id');
});

/** Lists the ids of a member's organizations in order, beginning at one of them. */
export const listOrganizationIdsOf = async (db: Db, member: string, from: string): Promise<string[]> =>
  (await memberships(db, member, from)).map(({ org_id }) => org_id);

const organizations = table('organizations');

export const insertOrganization = organizations.insert();
export const renameOrganization = organizations.update(['id'], 'name');

/** Returns whether sites or gateways still belong to the organization. */
export const ownsSitesOrGateways = async (db: Db, id: string): Promise<boolean> =>
  (await countUsed.sites(db, id, 1)) + (await countUsed.gateways(db, id, 1)) > 0;

export async function deleteOrganization(db: Db, id: string): Promise<void> {
  await table('members').delete('org_id')(db, id);
  await organizations.delete('id')(db, id);
}

const audit = table('audit');

export const insertAudit = audit.insert();
export const listAudit = audit.pages(['org_id'], 'id', 'desc');
