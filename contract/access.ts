/** What a member may do, from least to most. Each role has the rights of those before it. */
export const roles = ['viewer', 'operator', 'admin', 'owner'] as const;
export type Role = (typeof roles)[number];

/** read: look; control: command devices; manage: change sites, gateways, devices, members; own: delete and hand over. */
export type Right = 'read' | 'control' | 'manage' | 'own';

const rightsOf: Record<Role, readonly Right[]> = {
  viewer: ['read'],
  operator: ['read', 'control'],
  admin: ['read', 'control', 'manage'],
  owner: ['read', 'control', 'manage', 'own'],
};

export const can = (role: Role, right: Right): boolean => rightsOf[role].includes(right);

export const identityTypes = [
  'root',
  'admin',
  'user',
  'developer',
  'gateway',
  'device',
  'integration',
  'internal',
] as const;
export type IdentityType = (typeof identityTypes)[number];

/** Types that may hold organizations; gateways and devices may not. */
const holders = ['root', 'admin', 'user', 'developer', 'integration', 'internal'] as const satisfies IdentityType[];

/** The kinds of object that a right can be about. Each belongs to one organization. */
export type ObjectKind = 'organization' | 'site' | 'gateway' | 'device' | 'der';

export type RequestField = `params.${string}` | `query.${string}` | `body.${string}`;

/** A right on the object that the request names at `from`. */
export type RequiredRight = {
  right: Right;
  on: ObjectKind;
  from: RequestField;
  /** it narrows a list: without a value, or with an empty one, nothing is needed; an object the caller cannot see leaves nothing */
  filter?: boolean;
  /** whoever this names may do it for themselves when they may read the object */
  orSelf?: RequestField;
};

/**
 * Who may call: anybody, a broker or peer with the internal secret, or an identity with rights on what it names.
 * At a gateway: anybody on its network (local); the same, or only with the local token when it is so configured (guarded).
 */
export type Access =
  | 'public'
  | 'internal'
  | 'local'
  | 'guarded'
  | { identity: readonly IdentityType[]; needs: readonly RequiredRight[] };

export const signedIn: Access = { identity: identityTypes, needs: [] };

export const holder: Access = { identity: holders, needs: [] };

export const may = (
  right: Right,
  on: ObjectKind,
  from: RequestField,
  exceptions: Pick<RequiredRight, 'filter' | 'orSelf'> = {},
): Access => ({ identity: identityTypes, needs: [{ right, on, from, ...exceptions }] });

/** Every one of these must be allowed. */
export const allOf = (...parts: Access[]): Access => ({
  identity: identityTypes,
  needs: parts.flatMap((part) => (typeof part === 'object' ? part.needs : [])),
});

/** What an application may be allowed through OAuth, beside knowing who somebody is. */
export const dataScopes = ['read:sites', 'read:telemetry', 'control:ders'] as const;
export type Scope = (typeof dataScopes)[number];

/** Everything an application may ask for. `offline_access` is a refresh token, which each gets. */
export const oauthScopes = ['openid', 'profile', 'offline_access', ...dataScopes] as const;
export type OAuthScope = (typeof oauthScopes)[number];
