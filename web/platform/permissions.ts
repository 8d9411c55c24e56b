import { can, type Right } from '#contract/access.ts';
import { listMembers } from '#contract/cloud/organizations.ts';
import { useLoad } from '../parts/load.tsx';
import { api } from './session.ts';

/** Whether the person has a right in an organization. */
export async function may(orgId: string, right: Right, signal?: AbortSignal): Promise<boolean> {
  const { identityId } = api();
  const asked = { params: { org_id: orgId }, query: { limit: 1000 }, ...(signal && { signal }) };
  for await (const { identity_id, role } of api().pages(listMembers, asked)) {
    if (identity_id === identityId) return can(role, right);
  }
  return true; // the platform operator sees organizations without being a member
}

/** Whether the platform would refuse what needs this right; undefined until the role is loaded, when nothing is said about it yet. */
export function useMay(orgId: string, right: Right): boolean | undefined {
  const { value, problem } = useLoad((signal) => may(orgId, right, signal), [orgId, right]);
  return value ?? (problem === undefined ? undefined : true);
}
