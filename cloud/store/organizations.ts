import type { InferResult } from 'kysely';
import type { Db, PageRange } from './engine.ts';
import { prepared } from './prepared.ts';
import { table } from './table.ts';

/** An organization with its owner, and how the viewer became a member. */
export type OwnedOrganization = InferResult<ReturnType<typeof withOwner>>[number];

// A list in SQL must not be empty; no organization has an empty id.
const listed = (ids: readonly string[] = []): readonly string[] => (ids.length > 0 ? ids : ['']);

/** Selects organizations, or those among the given; the owner shown is the member who has been an owner for longest. */
const withOwner = (db: Db, viewer: string, among?: readonly string[]) =>
  db
    .selectFrom('organizations')
    .$if(among !== undefined, (query) => query.where('organizations.id', 'in', listed(among)))
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

export const listOrganizations = (
  db: Db,
  viewer: string,
  { after = '', limit }: PageRange,
  among?: readonly string[],
): Promise<OwnedOrganization[]> =>
  withOwner(db, viewer, among).where('organizations.id', '>', after).orderBy('organizations.id').limit(limit).execute();

export const listOrganizationsOf = (
  db: Db,
  member: string,
  { after = '', limit }: PageRange,
  among?: readonly string[],
): Promise<OwnedOrganization[]> =>
  withOwner(db, member, among)
    .innerJoin('members', 'members.org_id', 'organizations.id')
    .where('members.identity_id', '=', member)
    .where('members.org_id', '>', after)
    .orderBy('members.org_id')
    .limit(limit)
    .execute();

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
export async function ownsSitesOrGateways(db: Db, id: string): Promise<boolean> {
  const site = await db.selectFrom('sites').where('org_id', '=', id).select('id').limit(1).executeTakeFirst();
  const gateway = await db.selectFrom('gateways').where('org_id', '=', id).select('serial').limit(1).executeTakeFirst();
  return site !== undefined || gateway !== undefined;
}

export async function deleteOrganization(db: Db, id: string): Promise<void> {
  await table('members').delete('org_id')(db, id);
  await organizations.delete('id')(db, id);
}

const audit = table('audit');

export const insertAudit = audit.insert();
export const listAudit = audit.pagesOf('org_id', 'id', 'desc');
