import type { Static } from 'typebox';
import { holder, may, roles } from '../access.ts';
import { route } from '../route.ts';
import { Type } from '../schema.ts';
import { Name, Nullable, OneOf, Page, Text, Timestamp } from '../text.ts';
import { Member } from './organizations.ts';

const tag = 'Organizations';

export const invitationDays = 7;

/** The page that an invitation link opens; the secret is the last part of its path. */
export const invitationPage = '/app/invitations';

/** Redacts the secret of an invitation in a path, for logs. */
export const withoutInvitationSecret = (path: string): string =>
  path.replace(/(\/invitations\/)[^/]+/i, '$1[redacted]');

export const Invitation = Type.Object(
  {
    id: Type.String(),
    role: OneOf(roles),
    name: Nullable(
      Type.String({ description: 'a note about the invited person, visible to members with the right to manage' }),
    ),
    invited_by: Type.String({ description: 'identity id' }),
    created_at: Timestamp,
    expires_at: Timestamp,
  },
  { title: 'Invitation' },
);
export type Invitation = Static<typeof Invitation>;

export const NewInvitation = Type.Object(
  {
    id: Type.String(),
    url: Type.String({ description: 'the link with its secret, which is shown only once' }),
    role: OneOf(roles),
    expires_at: Timestamp,
  },
  { title: 'NewInvitation' },
);
export type NewInvitation = Static<typeof NewInvitation>;

const SecretParams = Type.Object({ secret: Text(128, 'the last part of the link') });

export const createInvitation = route({
  method: 'POST',
  path: '/organizations/{org_id}/invitations',
  tag,
  summary: 'Invite a person with a link',
  description:
    `The link works once, for ${invitationDays} days, as long as the inviter keeps the right to invite. ` +
    'Only an owner can invite an owner. Send the link only to the invited person.',
  access: may('manage', 'organization', 'params.org_id'),
  body: Type.Object({ role: OneOf(roles), name: Type.Optional(Name) }),
  replies: { 201: NewInvitation },
  problems: ['quota_exceeded'],
  creates: true,
});

export const listInvitations = route({
  method: 'GET',
  path: '/organizations/{org_id}/invitations',
  tag,
  summary: 'List the open invitations of an organization',
  access: may('manage', 'organization', 'params.org_id'),
  query: Page,
  replies: { 200: Type.Array(Invitation) },
  paged: true,
});

export const withdrawInvitation = route({
  method: 'DELETE',
  path: '/organizations/{org_id}/invitations/{invitation_id}',
  tag,
  summary: 'Withdraw an invitation',
  access: may('manage', 'organization', 'params.org_id'),
  replies: { 204: null },
  problems: ['gone'],
});

export const getInvitation = route({
  method: 'GET',
  path: '/invitations/{secret}',
  tag,
  summary: 'Get an invitation by the secret of its link',
  access: holder,
  params: SecretParams,
  replies: {
    200: Type.Object({ organization_name: Type.String(), role: OneOf(roles), expires_at: Timestamp }),
  },
  problems: ['not_found', 'gone'],
});

export const Membership = Type.Object({ org_id: Type.String(), ...Member.properties }, { title: 'Membership' });
export type Membership = Static<typeof Membership>;

export const acceptInvitation = route({
  method: 'POST',
  path: '/invitations/{secret}/accept',
  tag,
  summary: 'Accept an invitation',
  description: 'Returns 409 if the caller is already a member; the invitation then stays open.',
  access: holder,
  params: SecretParams,
  replies: { 200: Membership },
  problems: ['not_found', 'gone', 'conflict'],
});

export const declineInvitation = route({
  method: 'POST',
  path: '/invitations/{secret}/decline',
  tag,
  summary: 'Decline an invitation',
  access: holder,
  params: SecretParams,
  replies: { 204: null },
  problems: ['not_found', 'gone'],
});

export const invitationRoutes = [
  createInvitation,
  listInvitations,
  withdrawInvitation,
  getInvitation,
  acceptInvitation,
  declineInvitation,
];
