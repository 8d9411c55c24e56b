/** Roles of members, in ascending order. Each role includes the rights of the roles before it. */
export const roles = ['viewer', 'operator', 'admin', 'owner'] as const;
export type Role = (typeof roles)[number];

/** read: view; control: command devices; manage: change sites, gateways, devices and members; own: delete and transfer. */
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

/** Identity types that may own organizations; gateways and devices may not. */
const holders = ['root', 'admin', 'user', 'developer', 'integration', 'internal'] as const satisfies IdentityType[];

/** The kinds of object that a right applies to. Each object belongs to one organization. */
export type ObjectKind = 'organization' | 'site' | 'gateway' | 'device' | 'der';

export type RequestField = `params.${string}` | `query.${string}` | `body.${string}`;

/** A right on the object whose id is in the request field `from`. */
export type RequiredRight = {
  right: Right;
  on: ObjectKind;
  from: RequestField;
  /** filters a list: no right is required without a value, and an object that the caller cannot see gives an empty list */
  filter?: boolean;
  /** the identity in this field may act on itself if it can read the object */
  orSelf?: RequestField;
};

/**
 * The callers of a route: everyone, a broker or peer with the internal secret, or an identity with the required rights.
 * On a gateway: everyone on its network (local), or only callers with the local token if so configured (guarded).
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

export const allOf = (...parts: Access[]): Access => ({
  identity: identityTypes,
  needs: parts.flatMap((part) => (typeof part === 'object' ? part.needs : [])),
});

/** OAuth scopes that give an application access to data. */
export const dataScopes = ['read:sites', 'read:telemetry', 'control:ders'] as const;
export type Scope = (typeof dataScopes)[number];

/** All OAuth scopes. `offline_access` asks for a refresh token, which every application gets anyway. */
export const oauthScopes = ['openid', 'profile', 'offline_access', ...dataScopes] as const;
export type OAuthScope = (typeof oauthScopes)[number];
