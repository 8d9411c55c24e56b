import type { IdentityType, Role, Scope } from '#contract/access.ts';
import type { Route } from '#contract/route.ts';

/** Who makes a request, as proven by its token. */
export type Caller = {
  identityId: string;
  type: IdentityType;
  tokenId: string;
  /** id of the key that signed the token; an application's token has none */
  keyId?: string;
  /** when the token ends, ms */
  expiresAt: number;
  /** set when an application acts for them: what they allowed it, and where */
  application?: { clientId: string; scopes: readonly Scope[]; orgIds: readonly string[] };
};

/** Platform administrators act in every organization. */
const platformRole: Partial<Record<IdentityType, Role>> = { root: 'owner', admin: 'admin' };

/** The role in which an identity of a type acts: the platform's, else the one it has as a member. */
export const roleOf = (type: IdentityType, memberRole: Role | null): Role | null => platformRole[type] ?? memberRole;

/** An application calls what declares a scope that it was allowed; a person calls everything. */
export const mayCall = ({ application }: Caller, { scope }: Pick<Route, 'scope'>): boolean =>
  !application || (scope !== undefined && application.scopes.includes(scope));

/** Whether what is allowed at all is allowed in this organization: an application is held to those chosen for it. */
export const reaches = ({ application }: Caller, orgId: string): boolean => application?.orgIds.includes(orgId) ?? true;

export const seesEverything = (caller: Caller): boolean => platformRole[caller.type] !== undefined;
