import { can, type Right, type Role } from '#contract/access.ts';
import { listMembers } from '#contract/cloud/organizations.ts';
import { useLoad } from '../parts/load.tsx';
import { api } from './session.ts';

async function roleIn(orgId: string, signal: AbortSignal): Promise<{ role?: Role }> {
  const { identityId } = api();
  for await (const member of api().pages(listMembers, { params: { org_id: orgId }, query: { limit: 1000 }, signal })) {
    if (member.identity_id === identityId) return { role: member.role };
  }
  return {}; // an operator sees organizations without being a member
}

/**
 * Whether the person may do this in an organization, so that the pages offer no button that will be refused. The platform
 * decides; while it is not known, nothing is offered.
 */
export function useMay(orgId: string, right: Right): boolean {
  const { value, problem } = useLoad((signal) => roleIn(orgId, signal), [orgId]);
  if (!value) return problem !== undefined;
  return value.role === undefined || can(value.role, right);
}
