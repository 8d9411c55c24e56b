import { hash } from 'node:crypto';
import * as contract from '#contract/cloud/invitations.ts';
import { Problem } from '#contract/problem.ts';
import { dayMs, formatTime } from '#contract/time.ts';
import { newId } from '#lib/id.ts';
import { newSecret } from '#lib/secret.ts';
import { roleOf } from '../access/caller.ts';
import { type CloudMount, heldIn } from '../access/door.ts';
import { pageOf, sliceOf } from '../access/paging.ts';
import type { Db } from '../store/engine.ts';
import { findIdentity } from '../store/identities.ts';
import * as store from '../store/members.ts';
import { listNames } from '../store/names.ts';
import { getOrganization } from '../store/organizations.ts';
import type { InvitationRow } from '../store/schema.ts';
import { audit } from './audit.ts';
import { memberOf, onlyOwnersMakeOwners, rolesToInvite } from './members.ts';

const lifeMs = contract.invitationDays * dayMs;

// 256 random bits: a slow hash would add nothing.
const hashOf = (secret: string): string => hash('sha256', secret, 'base64url');

const invitationOf =
  (names: ReadonlyMap<string, string>) =>
  ({ id, role, name, invited_by, created_at, expires_at }: InvitationRow): contract.Invitation => ({
    id,
    role,
    name,
    invited_by,
    invited_by_name: names.get(invited_by) ?? null,
    created_at: formatTime(created_at),
    expires_at: formatTime(expires_at),
  });

export function invitationRoutes(mount: CloudMount, { baseUrl }: { baseUrl(): string }): void {
  mount(contract.createInvitation, async (context) => {
    const { params, body, caller, db, now } = context;
    onlyOwnersMakeOwners(heldIn(context, 'organization').role, body.role);
    await store.endExpiredInvitations(db, params.org_id, now, now);
    await context.checkQuota('invitations', params.org_id);
    const secret = newSecret();
    const invitation: InvitationRow = {
      id: newId('inv', now),
      org_id: params.org_id,
      secret_hash: hashOf(secret),
      role: body.role,
      name: body.name ?? null,
      invited_by: caller.identityId,
      created_at: now,
      expires_at: now + lifeMs,
      ended_at: null,
    };
    await store.insertInvitation(db, invitation);
    await audit(context, params.org_id, 'invitation.created', invitation.id, { role: body.role });
    const { id, role, expires_at } = invitation;
    return {
      id,
      url: `${baseUrl()}${contract.invitationPage}/${secret}`,
      role,
      expires_at: formatTime(expires_at),
    };
  });

  mount(contract.listInvitations, async ({ params, query, db, now }) => {
    const rows = await store.listOpenInvitations(db, sliceOf(query), params.org_id, now);
    const names = await listNames(db, [...new Set(rows.map(({ invited_by }) => invited_by))]);
    return pageOf(`/organizations/${params.org_id}/invitations`, query, rows, ({ id }) => id, invitationOf(names));
  });

  mount(contract.withdrawInvitation, async (context) => {
    const { params, db, now } = context;
    const invitation = await store.findInvitation(db, params.org_id, params.invitation_id);
    if (!invitation) throw new Problem('not_found', 'There is no invitation with this id.');
    onlyOwnersMakeOwners(heldIn(context, 'organization').role, invitation.role);
    await end(invitation, db, now);
    await audit(context, params.org_id, 'invitation.withdrawn', invitation.id);
  });

  mount(contract.getInvitation, async ({ params, caller, db, now }) => {
    const { org_id, role, expires_at } = await open(params.secret, db, now);
    const { name } = await getOrganization(db, org_id, caller.identityId);
    return { organization_name: name, role, expires_at: formatTime(expires_at) };
  });

  mount(contract.acceptInvitation, async (context) => {
    const { params, caller, db, now } = context;
    const invitation = await open(params.secret, db, now);
    const { id, org_id, role, invited_by } = invitation;
    const known = await store.findMember(db, org_id, caller.identityId);
    if (known) throw new Problem('conflict', `You are a member already, with the role ${known.role}.`);
    await end(invitation, db, now);
    const member = { org_id, identity_id: caller.identityId, role, joined_at: now, origin: 'accepted' as const };
    await store.insertMember(db, member);
    const { name } = (await findIdentity(db, caller.identityId))!;
    await audit(context, org_id, 'invitation.accepted', id, { role, invited_by });
    return { org_id, ...memberOf({ ...member, name }) };
  });

  mount(contract.declineInvitation, async (context) => {
    const { params, db, now } = context;
    const invitation = await open(params.secret, db, now);
    await end(invitation, db, now);
    await audit(context, invitation.org_id, 'invitation.declined', invitation.id);
  });
}

const gone = (): Problem =>
  new Problem('gone', 'This invitation was used or withdrawn, or has expired; ask for a new one.');

/** Returns the invitation of a secret if it can be accepted: the inviter must still have the right to grant the role. */
async function open(secret: string, db: Db, now: number): Promise<InvitationRow> {
  const invitation = await store.findInvitationBySecret(db, hashOf(secret));
  if (!invitation) throw new Problem('not_found', 'There is no such invitation; check that the link is complete.');
  const { ended_at, expires_at } = invitation;
  if (ended_at !== null || expires_at <= now || !(await mayStillInvite(invitation, db))) throw gone();
  return invitation;
}

async function mayStillInvite({ org_id, invited_by, role }: InvitationRow, db: Db): Promise<boolean> {
  const inviter = await findIdentity(db, invited_by);
  if (!inviter || inviter.disabled_at !== null) return false;
  const member = await store.findMember(db, org_id, invited_by);
  const inviterRole = roleOf(inviter.type, member?.role ?? null);
  return inviterRole !== null && rolesToInvite(inviterRole).includes(role);
}

/** Ends an invitation. Of two simultaneous requests one fails. */
async function end({ id }: InvitationRow, db: Db, now: number): Promise<void> {
  if (!(await store.endInvitation(db, id, now))) throw gone();
}
