import { can, type Role, roles } from '#contract/access.ts';
import type { Member } from '#contract/cloud/organizations.ts';
import { Problem } from '#contract/problem.ts';
import { formatTime } from '#contract/time.ts';
import { announceAccess } from '../access/access-version.ts';
import { type Context, heldIn } from '../access/door.ts';
import * as store from '../store/members.ts';
import type { MemberRow } from '../store/schema.ts';
import { audit } from './audit.ts';

export const memberOf = ({ identity_id, name, role, joined_at }: store.NamedMember): Member => ({
  identity_id,
  name,
  role,
  joined_at: formatTime(joined_at),
});

export async function addMember(
  wanted: { identityId: string; role: Role },
  context: Context,
): Promise<{ member: store.NamedMember; isNew: boolean }> {
  const { db, now, caller } = context;
  const { orgId, role: ownRole } = heldIn(context, 'organization');
  const { identityId, role } = wanted;
  onlyOwnersMakeOwners(ownRole, role);
  const known = await store.findMember(db, orgId, identityId);
  if (known && known.role !== role) {
    throw new Problem('conflict', `This identity is a member with the role ${known.role}; change it with PUT.`);
  }
  if (known) return { member: known, isNew: false };

  if (!(await store.haveCommonOrganization(db, identityId, caller.identityId))) {
    const path = `POST /organizations/${orgId}/invitations`;
    throw new Problem('forbidden', `You share no organization with this identity; invite the person with ${path}.`);
  }
  const member = { org_id: orgId, identity_id: identityId, role, joined_at: now, origin: 'added' as const };
  await store.insertMember(db, member);
  await audit(context, orgId, 'member.added', identityId, { role });
  return { member: await existingMember(identityId, context), isNew: true };
}

export async function changeRole(identityId: string, role: Role, context: Context): Promise<store.NamedMember> {
  const { orgId, role: ownRole } = heldIn(context, 'organization');
  const member = await existingMember(identityId, context);
  onlyOwnersMakeOwners(ownRole, role);
  onlyOwnersMakeOwners(ownRole, member.role);
  if (role !== 'owner') await notTheLastOwner(member, context);
  await store.setRole(context.db, orgId, identityId, role);
  await endInvitationsBeyond(role, identityId, context);
  await announceAccess(context, { identityId });
  await audit(context, orgId, 'member.changed', identityId, { from: member.role, to: role });
  return { ...member, role };
}

export async function removeMember(identityId: string, context: Context): Promise<void> {
  const { orgId, role: ownRole } = heldIn(context, 'organization');
  const member = await existingMember(identityId, context);
  if (identityId !== context.caller.identityId) onlyOwnersMakeOwners(ownRole, member.role);
  await notTheLastOwner(member, context);
  await store.deleteMember(context.db, orgId, identityId);
  await endInvitationsBeyond(null, identityId, context);
  await announceAccess(context, { identityId });
  await audit(context, orgId, 'member.removed', identityId, { role: member.role });
}

export async function existingMember(
  identityId: string,
  context: Pick<Context, 'db' | 'held'>,
): Promise<store.NamedMember> {
  const member = await store.findMember(context.db, heldIn(context, 'organization').orgId, identityId);
  if (!member) throw new Problem('not_found', 'There is no member with this id.');
  return member;
}

/** Returns the roles that a member with this role may grant by invitation. */
export const rolesToInvite = (role: Role): readonly Role[] =>
  roles.filter((one) => can(role, one === 'owner' ? 'own' : 'manage'));

/** Ends the open invitations of a member that their new role, or leaving, no longer covers. */
async function endInvitationsBeyond(role: Role | null, inviter: string, context: Context): Promise<void> {
  const { db, now } = context;
  const covered = role === null ? [] : rolesToInvite(role);
  const lost = roles.filter((one) => !covered.includes(one));
  for (const one of lost) await store.endInvitationsBy(db, heldIn(context, 'organization').orgId, inviter, one, now);
}

export function onlyOwnersMakeOwners(ownRole: Role, role: Role): void {
  if (role === 'owner' && !can(ownRole, 'own')) {
    throw new Problem('forbidden', 'Only an owner can make, change or remove an owner.');
  }
}

async function notTheLastOwner({ org_id, role }: MemberRow, { db }: Context): Promise<void> {
  if (role === 'owner' && (await store.countOwners(db, org_id, 2)) === 1) {
    throw new Problem('conflict', 'The last owner cannot leave; make another member the owner first.');
  }
}
