import { roles } from '#contract/access.ts';
import * as contract from '#contract/cloud/invitations.ts';
import { UsageError } from '../line/command.ts';
import { signedIn } from '../sign-in/session.ts';
import { findOrganization, orgOption } from '../sites/find-site.ts';
import { requireConfirmation, yesOption } from '../terminal/output.ts';

export const role = {
  name: 'role',
  oneOf: roles,
  help: 'viewer: read; operator: also control devices; admin: also change; owner: also delete',
} as const;

const link = { name: 'link', help: 'the invitation link, or its last part' } as const;

const exampleLink = `https://energy.example.org${contract.invitationPage}/1wFZbGBkyo0QmW4TtPzJv0q5Xnq2m0c3uR8aVJ6dE9s`;

const invite = signedIn('org invite', {
  summary: `Create a link that lets one person join an organization within ${contract.invitationDays} days`,
  arguments: [role],
  options: {
    org: orgOption,
    name: { value: 'TEXT', help: 'a note about the invited person, shown in the list' },
  },
  examples: ['org invite viewer', 'org invite admin --org Home --name "Bo next door"'],
  async run({ api, arguments: { role }, options }) {
    const { id: org_id, name: organization } = await findOrganization(api, options.org);
    const body = { role, ...(options.name !== undefined && { name: options.name }) };
    const invitation = await api.call(contract.createInvitation, { params: { org_id }, body });
    const sentences = [
      invitation.url,
      `The first person to open this link can join ${organization} as ${role}, until ${invitation.expires_at}.`,
      'Send it only to the person you invite. It is not shown again.',
    ];
    return { result: invitation, text: sentences };
  },
});

const list = signedIn('org invitations', {
  summary: 'List the open invitations of an organization',
  arguments: [{ name: 'org', optional: true, help: 'id or name. Default: your only organization' }],
  examples: ['org invitations', 'org invitations Home --json'],
  async run({ api, arguments: { org } }) {
    const { id: org_id } = await findOrganization(api, org);
    const items = api.pages(contract.listInvitations, { params: { org_id } });
    return { items, fields: ['id', 'role', 'name', 'invited_by_name', 'expires_at'] };
  },
});

const withdraw = signedIn('org withdraw', {
  summary: 'Withdraw an invitation',
  arguments: [{ name: 'invitation id', help: 'see ohmstead org invitations' }],
  options: { org: orgOption },
  examples: ['org withdraw inv-0198f0a2-7c3e-7d10-9a52-5d1f0b6c2e11'],
  async run({ api, arguments: { 'invitation id': invitation_id }, options }) {
    const { id: org_id } = await findOrganization(api, options.org);
    await api.call(contract.withdrawInvitation, { params: { org_id, invitation_id } });
    return { result: { id: invitation_id, withdrawn: true }, text: 'Invitation withdrawn.' };
  },
});

const join = signedIn('org join', {
  summary: 'Accept an invitation and become a member',
  arguments: [link],
  options: { yes: yesOption },
  examples: [`org join ${exampleLink}`],
  async run({ api, arguments: { link }, options }, shell) {
    const params = { secret: secretOf(link, api.url) };
    const { organization_name, role } = await api.call(contract.getInvitation, { params });
    await requireConfirmation(options.yes, `You will join ${organization_name} as ${role}.`, shell);
    const membership = await api.call(contract.acceptInvitation, { params });
    return { result: membership, text: `You are now ${role} of ${organization_name} (${membership.org_id}).` };
  },
});

const decline = signedIn('org decline', {
  summary: 'Decline an invitation; its link stops working',
  arguments: [link],
  examples: [`org decline ${exampleLink}`],
  async run({ api, arguments: { link } }) {
    const params = { secret: secretOf(link, api.url) };
    await api.call(contract.declineInvitation, { params });
    return { result: { declined: true }, text: 'Invitation declined.' };
  },
});

/** Returns the secret of an invitation link. Throws if the link is of another platform, which must not see the secret. */
function secretOf(link: string, platform: string): string {
  if (/^[\w-]{43}$/.test(link)) return link;
  const url = URL.parse(link);
  const secret = url?.pathname.split(`${contract.invitationPage}/`)[1]?.replace(/\/$/, '');
  if (!url || !secret) throw new UsageError(`An invitation link looks like ${exampleLink}.`);
  if (url.origin === new URL(platform).origin) return secret;
  const where = `The link is for ${url.origin}, but you are signed in to ${platform}.`;
  throw new UsageError(
    `${where} Sign in there. If both addresses are the same platform, give only the last part of the link.`,
  );
}

export const invitationCommands = [invite, list, withdraw, join, decline];
