import type { IdentityType, Role, Scope } from '#contract/access.ts';
import type { Route } from '#contract/route.ts';
import type { IdentityRow } from '../store/schema.ts';

export type Caller = {
  identityId: string;
  type: IdentityType;
  tokenId: string;
  /** id of the key that signed the token; absent for application tokens */
  keyId?: string;
  /** when the token was issued, ms; absent for application tokens, which end with their consent */
  issuedAt?: number;
  /** when the token ends, ms */
  expiresAt: number;
  /** set if an application acts for the person: its scopes and organizations */
  application?: { clientId: string; scopes: readonly Scope[]; orgIds: readonly string[] };
};

/** Returns whether an identity may still use a token that was issued at this time. */
export const isOpen = (
  { disabled_at, signed_out_at }: Pick<IdentityRow, 'disabled_at' | 'signed_out_at'>,
  issuedAt: number,
): boolean => disabled_at === null && (signed_out_at === null || issuedAt > signed_out_at);

/** Platform administrators act in every organization. */
const platformRole: Partial<Record<IdentityType, Role>> = { root: 'owner', admin: 'admin' };

/** Returns the role of an identity: that of the platform for administrators, else its role as a member. */
export const roleOf = (type: IdentityType, memberRole: Role | null): Role | null => platformRole[type] ?? memberRole;

/** Returns whether a caller may call a route: applications need its scope, people do not. */
export const mayCall = ({ application }: Caller, { scope }: Pick<Route, 'scope'>): boolean =>
  !application || (scope !== undefined && application.scopes.includes(scope));

/** Returns whether a caller may act in an organization: applications are limited to the chosen ones. */
export const reaches = ({ application }: Caller, orgId: string): boolean => application?.orgIds.includes(orgId) ?? true;

export const seesEverything = (caller: Caller): boolean => platformRole[caller.type] !== undefined;
