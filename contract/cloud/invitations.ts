import { holder, may, roles } from '../access.ts';
import { routesOf } from '../route.ts';
import { Name, Nullable, OneOf, pagesOf, type Static, Text, Timestamp, Titled, Type } from '../schema.ts';
import { Member } from './organizations.ts';

const tag = 'Organizations';
const managed = routesOf({ tag, access: may('manage', 'organization', 'params.org_id') });
const params = Type.Object({ secret: Text(128, 'the last part of the link') });
const bySecret = routesOf({ tag, access: holder, params }, managed.all);

export const invitationDays = 7;

/** The page that an invitation link opens; the secret is the last part of its path. */
export const invitationPage = '/app/invitations';

/** Redacts the secret of an invitation or the id of an authorization request in a path, for logs. */
export const withoutSecrets = (path: string): string =>
  path.replace(/(\/invitations\/|\/oauth\/authorize\/(?!(?:page|request|complete)$))[^/]+/i, '$1[redacted]');

export const Invitation = Titled('Invitation', {
  id: Type.String(),
  role: OneOf(roles),
  name: Nullable(
    Type.String({ description: 'a note about the invited person, visible to members with the right to manage' }),
  ),
  invited_by: Type.String({ description: 'identity id' }),
  invited_by_name: Nullable(Type.String()),
  created_at: Timestamp,
  expires_at: Timestamp,
});
export type Invitation = Static<typeof Invitation>;

export const NewInvitation = Titled('NewInvitation', {
  id: Type.String(),
  url: Type.String({ description: 'the link with its secret, which is shown only once' }),
  role: OneOf(roles),
  expires_at: Timestamp,
});
export type NewInvitation = Static<typeof NewInvitation>;

export const createInvitation = managed.post('/organizations/{org_id}/invitations', 'Invite a person with a link', {
  description:
    `The link works once, for ${invitationDays} days, as long as the inviter keeps the right to invite. ` +
    'Only an owner can invite an owner. Send the link only to the invited person.',
  body: Type.Object({ role: OneOf(roles), name: Type.Optional(Name) }),
  replies: { 201: NewInvitation },
  problems: ['quota_exceeded'],
  creates: true,
});

export const listInvitations = managed.get('/organizations/{org_id}/invitations', 'List the open invitations', {
  ...pagesOf(Invitation),
});

export const withdrawInvitation = managed.delete(
  '/organizations/{org_id}/invitations/{invitation_id}',
  'Withdraw an invitation',
  { replies: { 204: null }, problems: ['gone'] },
);

export const getInvitation = bySecret.get('/invitations/{secret}', 'Get an invitation by the secret of its link', {
  replies: {
    200: Type.Object({ organization_name: Type.String(), role: OneOf(roles), expires_at: Timestamp }),
  },
  problems: ['not_found', 'gone'],
});

export const Membership = Titled('Membership', { org_id: Type.String(), ...Member.properties });
export type Membership = Static<typeof Membership>;

export const acceptInvitation = bySecret.post('/invitations/{secret}/accept', 'Accept an invitation', {
  description: 'Returns 409 if the caller is already a member; the invitation then stays open.',
  replies: { 200: Membership },
  problems: ['not_found', 'gone', 'conflict'],
});

export const declineInvitation = bySecret.post('/invitations/{secret}/decline', 'Decline an invitation', {
  replies: { 204: null },
  problems: ['not_found', 'gone'],
});

export const invitationRoutes = managed.all;
