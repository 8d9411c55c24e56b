import type { Db, PageRange } from './engine.ts';
import { first, limitArgument, prepared } from './prepared.ts';
import type { IdentityRow, MemberRow } from './schema.ts';
import { table } from './table.ts';

const members = table('members');

export type NamedMember = MemberRow & Pick<IdentityRow, 'name'>;

const withName = (db: Db) =>
  db
    .selectFrom('members')
    .innerJoin('identities', 'identities.id', 'members.identity_id')
    .selectAll('members')
    .select('identities.name');

const page = prepared((db, org: string, after: string, limit: number) =>
  withName(db)
    .where('members.org_id', '=', org)
    .where('members.identity_id', '>', after)
    .orderBy('members.identity_id')
    .limit(limitArgument(limit)),
);

export const listMembers = (db: Db, { after = '', limit }: PageRange, org: string): Promise<NamedMember[]> =>
  page(db, org, after, limit);

export const findMember = first(
  prepared((db, org: string, identity: string) =>
    withName(db).where('members.org_id', '=', org).where('members.identity_id', '=', identity),
  ),
);

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

export const countOwners = table('members', "role = 'owner'").count('org_id');

const invitations = table('invitations');

export const insertInvitation = invitations.insert();
export const findInvitationBySecret = invitations.find('secret_hash');
export const findInvitation = invitations.find('org_id', 'id');
export const deleteExpiredInvitations = invitations.delete('expires_at <');

const unended = table('invitations', 'ended_at is null');
const end = unended.update(['id', 'expires_at >'], 'ended_at');

export const listOpenInvitations = unended.pages(['org_id', 'expires_at >'], 'id');

/** Ends an open invitation. Returns true for the one request that ended it. */
export const endInvitation = async (db: Db, id: string, now: number): Promise<boolean> =>
  (await end(db, id, now, now)) === 1;

export const endInvitations = unended.update(['org_id'], 'ended_at');
export const endInvitationsBy = unended.update(['org_id', 'invited_by', 'role'], 'ended_at');

/** Ends invitations that expired by a time, so that they no longer count against the quota. */
export const endExpiredInvitations = unended.update(['org_id', 'expires_at <='], 'ended_at');
