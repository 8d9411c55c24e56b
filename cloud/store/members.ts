import type { Role } from '#contract/access.ts';
import type { Db } from './engine.ts';
import type { MemberRow } from './schema.ts';
import type { Slice } from './slice.ts';

export function listMembers(db: Db, orgId: string, { after, limit }: Slice): Promise<MemberRow[]> {
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

/** Whether two identities are members of one organization; everybody shares theirs with themselves. */
export async function shareOrganization(db: Db, one: string, other: string): Promise<boolean> {
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
