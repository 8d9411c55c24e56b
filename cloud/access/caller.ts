import type { IdentityType, Role } from '#contract/access.ts';

/** Who makes a request, as proven by its token. */
export type Caller = {
  identityId: string;
  type: IdentityType;
  tokenId: string;
  /** when the token ends, ms */
  expiresAt: number;
};

/** Platform administrators act in every organization. */
const platformRole: Partial<Record<IdentityType, Role>> = { root: 'owner', admin: 'admin' };

/** The role a caller acts in: the platform's, else the one they hold as a member. */
export const roleOf = (caller: Caller, memberRole: Role | null): Role | null => platformRole[caller.type] ?? memberRole;

export const seesEverything = (caller: Caller): boolean => platformRole[caller.type] !== undefined;
