import type { Role } from '#contract/access.ts';
import type { Db, PageRange } from './engine.ts';
import type { InvitationRow } from './schema.ts';
import { table } from './table.ts';

const members = table('members');

export const listMembers = members.pagesOf('org_id', 'identity_id');
export const findMember = members.find('org_id', 'identity_id');
export const insertMember = members.insert();
export const setRole = members.update(['org_id', 'identity_id'], 'role');
export const deleteMember = members.delete('org_id', 'identity_id');

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

const listWithRole = members.list(['org_id', 'role'], 'identity_id');

export const countOwners = async (db: Db, orgId: string): Promise<number> =>
  (await listWithRole(db, orgId, 'owner')).length;

const invitations = table('invitations');

export const insertInvitation = invitations.insert();
export const findInvitationBySecret = invitations.find('secret_hash');
export const findInvitation = invitations.find('org_id', 'id');
export const deleteExpiredInvitations = invitations.delete('expires_at <');

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

const unended = table('invitations', 'ended_at is null');
const end = unended.update(['id', 'expires_at >'], 'ended_at');
const endExpired = unended.update(['org_id', 'expires_at <='], 'ended_at');

/** Ends an open invitation. Returns true for the one request that ended it. */
export const endInvitation = async (db: Db, id: string, now: number): Promise<boolean> =>
  (await end(db, id, now, now)) === 1;

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
  await endExpired(db, orgId, now, now);
}
