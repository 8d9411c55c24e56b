import * as contract from '#contract/cloud/organizations.ts';
import { Problem } from '#contract/problem.ts';
import { formatTime } from '#contract/time.ts';
import { Answer } from '#lib/http/mount.ts';
import { newId } from '#lib/id.ts';
import { announceAccess } from '../access/access-version.ts';
import { seesEverything } from '../access/caller.ts';
import type { CloudMount } from '../access/door.ts';
import { pageOf, sliceOf } from '../access/paging.ts';
import { organizationUsage, type QuotaConfig } from '../access/quotas.ts';
import { endInvitations, insertMember, listMembers } from '../store/members.ts';
import { listClientIds } from '../store/oauth.ts';
import * as store from '../store/organizations.ts';
import { audit, auditEntryOf } from './audit.ts';
import { addMember, changeRole, existingMember, memberOf, removeMember } from './members.ts';

const organizationOf = ({
  id,
  name,
  owner_id,
  owner_name,
  created_at,
  origin,
}: store.OwnedOrganization): contract.Organization => ({
  id,
  name,
  owner_id,
  owner_name,
  created_at: formatTime(created_at),
  ...(origin && { joined: origin }),
});

export function organizationRoutes(mount: CloudMount): void {
  mount(contract.listOrganizations, async ({ query, caller, db }) => {
    const rows = await store.listOrganizations(db, caller.identityId, sliceOf(query), {
      ids: caller.application?.orgIds,
      member: seesEverything(caller) ? undefined : caller.identityId,
    });
    return pageOf('/organizations', query, rows, ({ id }) => id, organizationOf);
  });

  mount(contract.createOrganization, async (context) => {
    const { body, caller, db, now } = context;
    await context.checkQuota('organizations', caller.identityId);
    const id = newId('org', now);
    await store.insertOrganization(db, { id, name: body.name, created_by: caller.identityId, created_at: now });
    await insertMember(db, {
      org_id: id,
      identity_id: caller.identityId,
      role: 'owner',
      joined_at: now,
      origin: 'created',
    });
    await audit(context, id, 'organization.created', id, { name: body.name });
    return organizationOf(await store.getOrganization(db, id, caller.identityId));
  });

  mount(contract.getOrganization, async ({ params, caller, db }) =>
    organizationOf(await store.getOrganization(db, params.org_id, caller.identityId)),
  );

  mount(contract.updateOrganization, async (context) => {
    const { params, body, caller, db } = context;
    await store.renameOrganization(db, params.org_id, body.name);
    await audit(context, params.org_id, 'organization.renamed', params.org_id, { name: body.name });
    return organizationOf(await store.getOrganization(db, params.org_id, caller.identityId));
  });

  mount(contract.deleteOrganization, async (context) => {
    const { params, db } = context;
    if (await store.ownsSitesOrGateways(db, params.org_id)) {
      throw new Problem('conflict', 'The organization still has sites or gateways; delete and release them first.');
    }
    const { name } = await store.getOrganization(db, params.org_id, context.caller.identityId);
    const clientIds = await listClientIds(db, params.org_id); // its applications are deleted with it
    await store.deleteOrganization(db, params.org_id);
    await endInvitations(db, params.org_id, context.now);
    for (const clientId of clientIds) await announceAccess(context, { clientId });
    await audit(context, params.org_id, 'organization.deleted', params.org_id, { name });
  });

  mount(contract.listMembers, async ({ params, query, db }) => {
    const rows = await listMembers(db, sliceOf(query), params.org_id);
    return pageOf(`/organizations/${params.org_id}/members`, query, rows, (row) => row.identity_id, memberOf);
  });

  mount(contract.getMember, async (context) => memberOf(await existingMember(context.params.identity_id, context)));

  mount(contract.addMember, async (context) => {
    const { identity_id, role } = context.body;
    const { member, isNew } = await addMember({ identityId: identity_id, role }, context);
    return new Answer(isNew ? 201 : 200, memberOf(member));
  });

  mount(contract.updateMember, async (context) =>
    memberOf(await changeRole(context.params.identity_id, context.body.role, context)),
  );

  mount(contract.removeMember, (context) => removeMember(context.params.identity_id, context));

  mount(contract.listAudit, async ({ params, query, db }) => {
    const rows = await store.listAudit(db, sliceOf(query), params.org_id);
    return pageOf(`/organizations/${params.org_id}/audit`, query, rows, ({ id }) => id, auditEntryOf);
  });
}

type UsageDeps = {
  quotas: QuotaConfig;
  telemetry: { maxBytesPerDay: number; today(orgId: string): Promise<number> };
};

export function usageRoutes(mount: CloudMount, { quotas, telemetry }: UsageDeps): void {
  mount(contract.getUsage, async ({ params, db }) => [
    ...(await organizationUsage(quotas, db, params.org_id)),
    {
      name: 'telemetry_bytes_today',
      used: await telemetry.today(params.org_id),
      limit: telemetry.maxBytesPerDay,
      setting: 'TELEMETRY_MB_PER_DAY',
    },
  ]);
}
