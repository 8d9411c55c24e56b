import { holder, may, roles, signedIn } from '../access.ts';
import { erasesTelemetry } from '../der.ts';
import { routesOf } from '../route.ts';
import { Id, Name, Nullable, OneOf, pagesOf, type Static, Timestamp, Titled, Type, texts } from '../schema.ts';

const tag = 'Organizations';
const read = may('read', 'organization', 'params.org_id');
const api = routesOf({ tag });
const readable = routesOf({ tag, access: read }, api.all);
const managed = routesOf({ tag, access: may('manage', 'organization', 'params.org_id') }, api.all);

/** How a membership started. Only a created or accepted one may be preselected for the member. */
export const membershipOrigins = ['created', 'accepted', 'added'] as const;
export type MembershipOrigin = (typeof membershipOrigins)[number];

export const Organization = Titled('Organization', {
  ...texts('id', 'name', 'owner_id'),
  owner_name: Nullable(Type.String()),
  created_at: Timestamp,
  joined: Type.Optional(
    OneOf(membershipOrigins, {
      description:
        'how the caller became a member: created the organization, accepted an invitation, or was added by another member',
    }),
  ),
});
export type Organization = Static<typeof Organization>;

/** Tells whether the member joined by choice, so that a page or command may preselect the organization. */
export const isChosen = ({ joined }: Organization): boolean => joined === 'created' || joined === 'accepted';

export const Member = Titled('Member', {
  identity_id: Type.String(),
  name: Nullable(Type.String()),
  role: OneOf(roles),
  joined_at: Timestamp,
});
export type Member = Static<typeof Member>;

/** Actions in the audit log, by a member, an application on behalf of one, the operator, or the platform itself. */
export type AuditAction =
  | `organization.${'created' | 'renamed' | 'deleted'}`
  | `member.${'added' | 'changed' | 'removed'}`
  | `invitation.${'created' | 'accepted' | 'declined' | 'withdrawn'}`
  | `site.${'created' | 'changed' | 'deleted'}`
  | `gateway.${'claimed' | 'transferred_in' | 'transferred_out' | 'released' | 'listed'}`
  | `gateway.${'scan' | 'add_device' | 'change_device'}_requested`
  | `device.${'provisioned' | 'renamed' | 'deleted'}`
  | `der.${'added' | 'renamed' | 'deleted' | 'released'}`
  | 'command.created'
  | `order.${'created' | 'ended'}`
  | `oauth_client.${'registered' | 'removed'}`
  | `identity.${'disabled' | 'enabled' | 'browser_added' | 'browser_removed'}`;

export const AuditEntry = Titled('AuditEntry', {
  id: Type.String(),
  at: Timestamp,
  actor: Type.String({ description: 'identity id, operator, or platform for what it did by itself' }),
  actor_name: Nullable(Type.String({ description: 'name of the person at that time' })),
  ...texts('action', 'object'),
  object_name: Nullable(Type.String({ description: 'name of the object at that time, if it has one' })),
  details: Type.Record(Type.String(), Type.Unknown()),
});
export type AuditEntry = Static<typeof AuditEntry>;

export const listOrganizations = api.get('/organizations', 'List the organizations of the caller', {
  access: signedIn,
  scope: 'read:sites',
  ...pagesOf(Organization),
});

export const createOrganization = api.post('/organizations', 'Create an organization owned by the caller', {
  location: '/organizations/{id}',
  access: holder,
  body: Type.Object({ name: Name }),
  replies: { 201: Organization },
  problems: ['quota_exceeded'],
  creates: true,
});

export const getOrganization = readable.get('/organizations/{org_id}', 'Get an organization', {
  conditional: true,
  scope: 'read:sites',
  replies: { 200: Organization },
});

export const updateOrganization = managed.put('/organizations/{org_id}', 'Rename an organization', {
  resource: getOrganization,
  body: Type.Object({ name: Name }),
  replies: { 200: Organization },
});

export const deleteOrganization = api.delete('/organizations/{org_id}', 'Delete an empty organization', {
  description: `Remove its gateways first, and its sites with their devices. ${erasesTelemetry} The audit log is kept.`,
  resource: getOrganization,
  access: may('own', 'organization', 'params.org_id'),
  replies: { 204: null },
  problems: ['conflict'],
});

const membersPath = '/organizations/{org_id}/members';
const memberPath = '/organizations/{org_id}/members/{identity_id}';

export const listMembers = readable.get(membersPath, 'List the members of an organization', {
  ...pagesOf(Member),
});

export const getMember = readable.get(memberPath, 'Get a member of an organization', {
  replies: { 200: Member },
  conditional: true,
});

export const addMember = managed.post(membersPath, 'Add a member from another of your organizations', {
  description:
    'Invite other people with a link. Only an owner can add an owner. Adding a member again with the same role returns 200.',
  location: memberPath,
  body: Type.Object({ identity_id: Id, role: OneOf(roles) }),
  replies: { 201: Member, 200: Member },
  problems: ['conflict'],
  creates: true,
});

export const updateMember = managed.put(memberPath, 'Change the role of a member', {
  description: 'Only an owner can appoint or change an owner. The last owner cannot be changed.',
  resource: getMember,
  body: Type.Object({ role: OneOf(roles) }),
  replies: { 200: Member },
  problems: ['conflict'],
});

export const removeMember = api.delete(memberPath, 'Remove a member, or leave an organization', {
  resource: getMember,
  access: may('manage', 'organization', 'params.org_id', { orSelf: 'params.identity_id' }),
  replies: { 204: null },
  problems: ['conflict'],
});

export const listAudit = managed.get('/organizations/{org_id}/audit', 'List the audit log, newest first', {
  ...pagesOf(AuditEntry),
});

export const organizationRoutes = api.all;

const QuotaUsage = Titled('QuotaUsage', {
  name: Type.String({ description: 'the quota, for example sites or telemetry_bytes_today' }),
  used: Type.Integer({ description: 'objects are only counted up to the limit' }),
  limit: Type.Integer(),
  setting: Type.String({ description: 'the platform setting that defines the limit' }),
});
export type QuotaUsage = Static<typeof QuotaUsage>;

const usage = routesOf({ tag, access: read });

export const getUsage = usage.get('/organizations/{org_id}/usage', 'Get the quota usage of an organization', {
  description: 'Telemetry is counted per UTC day; readings beyond the quota are dropped with the reason quota.',
  replies: { 200: Type.Array(QuotaUsage) },
});

export const usageRoutes = usage.all;
