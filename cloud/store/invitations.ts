import type { Role } from '#contract/access.ts';
import type { Db } from './engine.ts';
import type { InvitationRow } from './schema.ts';
import type { Slice } from './slice.ts';

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
  { after, limit }: Slice,
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

/** True for the one request that ends it. */
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

/** Ends the open invitations of an organization: all of them, or those of an inviter to certain roles. */
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
    .$if(of !== undefined, (query) => query.where('invited_by', '=', of!.inviter).where('role', 'in', of!.roles))
    .execute();
}

/** Ends those whose time is up, so that they count no more. */
export async function endExpiredInvitations(db: Db, orgId: string, now: number): Promise<void> {
  await db
    .updateTable('invitations')
    .set({ ended_at: now })
    .where('org_id', '=', orgId)
    .where('ended_at', 'is', null)
    .where('expires_at', '<=', now)
    .execute();
}

export async function forgetInvitations(db: Db, expiredBefore: number): Promise<void> {
  await db.deleteFrom('invitations').where('expires_at', '<', expiredBefore).execute();
}
