import type { Role } from '#contract/access.ts';
import type { Db, PageRange } from './engine.ts';
import type { InvitationRow, MemberRow } from './schema.ts';

export function listMembers(db: Db, orgId: string, { after, limit }: PageRange): Promise<MemberRow[]> {
  let query = db.selectFrom('members').where('org_id', '=', orgId).selectAll().orderBy('identity_id').limit(limit);
  if (after !== undefined) query = query.where('identity_id', '>', after);
  return query.execute();
}

export const findMember = (db: Db, orgId: string, identityId: string): Promise<MemberRow | undefined> =>
  db
    .selectFrom('members')
    .where('org_id', '=', orgId)
    .where('identity_id', '=', identityId)
    .selectAll()
    .executeTakeFirst();

/** Returns whether two identities are members of the same organization, or are the same identity. */
export async function haveCommonOrganization(db: Db, one: string, other: string): Promise<boolean> {
  if (one === other) return true;
  const shared = await db
    .selectFrom('members')
    .innerJoin('members as others', 'others.org_id', 'members.org_id')
    .where('members.identity_id', '=', one)
    .where('others.identity_id', '=', other)
    .select('members.org_id')
    .limit(1)
    .executeTakeFirst();
  return shared !== undefined;
}

export async function insertMember(db: Db, member: MemberRow): Promise<void> {
  await db.insertInto('members').values(member).execute();
}

export async function setRole(db: Db, orgId: string, identityId: string, role: Role): Promise<void> {
  await db
    .updateTable('members')
    .set({ role })
    .where('org_id', '=', orgId)
    .where('identity_id', '=', identityId)
    .execute();
}

export async function deleteMember(db: Db, orgId: string, identityId: string): Promise<void> {
  await db.deleteFrom('members').where('org_id', '=', orgId).where('identity_id', '=', identityId).execute();
}

export async function countOwners(db: Db, orgId: string): Promise<number> {
  const { count } = await db
    .selectFrom('members')
    .where('org_id', '=', orgId)
    .where('role', '=', 'owner')
    .select((row) => row.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

export async function insertInvitation(db: Db, invitation: InvitationRow): Promise<void> {
  await db.insertInto('invitations').values(invitation).execute();
}

export const findInvitationBySecret = (db: Db, secretHash: string): Promise<InvitationRow | undefined> =>
  db.selectFrom('invitations').where('secret_hash', '=', secretHash).selectAll().executeTakeFirst();

export const findInvitation = (db: Db, orgId: string, id: string): Promise<InvitationRow | undefined> =>
  db.selectFrom('invitations').where('org_id', '=', orgId).where('id', '=', id).selectAll().executeTakeFirst();

export const listOpenInvitations = (
  db: Db,
  orgId: string,
  now: number,
  { after, limit }: PageRange,
): Promise<InvitationRow[]> =>
  db
    .selectFrom('invitations')
    .where('org_id', '=', orgId)
    .where('id', '>', after ?? '')
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .selectAll()
    .orderBy('id')
    .limit(limit)
    .execute();

/** Ends an open invitation. Returns true for the one request that ended it. */
export async function endInvitation(db: Db, id: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('invitations')
    .set({ ended_at: now })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Ends all open invitations of an organization, or those that one inviter sent for certain roles. */
export async function endInvitations(
  db: Db,
  orgId: string,
  now: number,
  of?: { inviter: string; roles: readonly Role[] },
): Promise<void> {
  await db
    .updateTable('invitations')
    .set({ ended_at: now })
    .where('org_id', '=', orgId)
    .where('ended_at', 'is', null)
    .where((row) => row.and(of ? [row('invited_by', '=', of.inviter), row('role', 'in', of.roles)] : []))
    .execute();
}

/** Ends expired invitations, so that they no longer count against the quota. */
export async function endExpiredInvitations(db: Db, orgId: string, now: number): Promise<void> {
  await db
    .updateTable('invitations')
    .set({ ended_at: now })
    .where('org_id', '=', orgId)
    .where('ended_at', 'is', null)
    .where('expires_at', '<=', now)
    .execute();
}

export async function deleteExpiredInvitations(db: Db, expiredBefore: number): Promise<void> {
  await db.deleteFrom('invitations').where('expires_at', '<', expiredBefore).execute();
}
