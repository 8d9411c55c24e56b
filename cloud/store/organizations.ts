import type { MembershipOrigin } from '#contract/cloud/organizations.ts';
import type { Db, PageRange } from './engine.ts';
import { prepared } from './prepared.ts';
import type { AuditRow, OrganizationRow } from './schema.ts';

/** An organization with its owner, and how the viewer became a member. */
export type OwnedOrganization = Omit<OrganizationRow, 'created_by'> & {
  owner_id: string;
  origin: MembershipOrigin | null;
};

/** Selects organizations; the owner shown is the member who has been an owner for longest. */
const withOwner = (db: Db, viewer: string) =>
  db
    .selectFrom('organizations')
    .select((row) => [
      'organizations.id',
      'organizations.name',
      'organizations.created_at',
      row
        .selectFrom('members as owner')
        .whereRef('owner.org_id', '=', 'organizations.id')
        .where('owner.role', '=', 'owner')
        .orderBy('owner.joined_at')
        .orderBy('owner.identity_id')
        .limit(1)
        .select('owner.identity_id')
        .as('owner_id'),
      row
        .selectFrom('members as viewer')
        .whereRef('viewer.org_id', '=', 'organizations.id')
        .where('viewer.identity_id', '=', viewer)
        .select('viewer.origin')
        .as('origin'),
    ])
    .$narrowType<{ owner_id: string }>();

export const getOrganization = (db: Db, id: string, viewer: string): Promise<OwnedOrganization> =>
  withOwner(db, viewer).where('organizations.id', '=', id).executeTakeFirstOrThrow();

// A list in SQL must not be empty; no organization has an empty id.
const listed = (among: readonly string[] = []): readonly string[] => (among.length > 0 ? among : ['']);

export const listOrganizations = (
  db: Db,
  viewer: string,
  { after, limit }: PageRange,
  among?: readonly string[],
): Promise<OwnedOrganization[]> =>
  withOwner(db, viewer)
    .$if(among !== undefined, (query) => query.where('organizations.id', 'in', listed(among)))
    .where('organizations.id', '>', after ?? '')
    .orderBy('organizations.id')
    .limit(limit)
    .execute();

export const listOrganizationsOf = (
  db: Db,
  member: string,
  { after, limit }: PageRange,
  among?: readonly string[],
): Promise<OwnedOrganization[]> =>
  withOwner(db, member)
    .$if(among !== undefined, (query) => query.where('organizations.id', 'in', listed(among)))
    .innerJoin('members', 'members.org_id', 'organizations.id')
    .where('members.identity_id', '=', member)
    .where('members.org_id', '>', after ?? '')
    .orderBy('members.org_id')
    .limit(limit)
    .execute();

const idsOf = prepared((db, { member, from }: { member: string; from: string }) =>
  db
    .selectFrom('members')
    .where('identity_id', '=', member)
    .where('org_id', '>=', from)
    .select('org_id')
    .orderBy('org_id'),
);

/** Lists the ids of a member's organizations in order, beginning at one of them. */
export const listOrganizationIdsOf = async (db: Db, member: string, from: string): Promise<string[]> =>
  (await idsOf(db, { member, from })).map(({ org_id }) => org_id);

export async function insertOrganization(db: Db, organization: OrganizationRow): Promise<void> {
  await db.insertInto('organizations').values(organization).execute();
}

export async function renameOrganization(db: Db, id: string, name: string): Promise<void> {
  await db.updateTable('organizations').set({ name }).where('id', '=', id).execute();
}

/** Returns whether sites or gateways still belong to the organization. */
export async function ownsSitesOrGateways(db: Db, id: string): Promise<boolean> {
  const site = await db.selectFrom('sites').where('org_id', '=', id).select('id').limit(1).executeTakeFirst();
  const gateway = await db.selectFrom('gateways').where('org_id', '=', id).select('serial').limit(1).executeTakeFirst();
  return site !== undefined || gateway !== undefined;
}

export async function deleteOrganization(db: Db, id: string): Promise<void> {
  await db.deleteFrom('members').where('org_id', '=', id).execute();
  await db.deleteFrom('organizations').where('id', '=', id).execute();
}

const addAudit = prepared((db, { id, org_id, at, actor, action, object, details }: AuditRow) =>
  db.insertInto('audit').values({ id, org_id, at, actor, action, object, details }),
);

export async function insertAudit(db: Db, entry: AuditRow): Promise<void> {
  await addAudit(db, entry);
}

/** Lists audit entries, newest first. */
export function listAudit(db: Db, orgId: string, { after, limit }: PageRange): Promise<AuditRow[]> {
  let query = db.selectFrom('audit').where('org_id', '=', orgId).selectAll().orderBy('id', 'desc').limit(limit);
  if (after !== undefined) query = query.where('id', '<', after);
  return query.execute();
}
