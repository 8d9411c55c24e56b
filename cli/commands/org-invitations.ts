import { roles } from '#contract/access.ts';
import {
  acceptInvitation,
  createInvitation,
  declineInvitation,
  getInvitation,
  invitationDays,
  invitationPage,
  listInvitations,
  withdrawInvitation,
} from '#contract/cloud/invitations.ts';
import { command, UsageError } from '../line/command.ts';
import { openSession } from '../sign-in/session.ts';
import { findOrganization, orgOption } from '../sites/find-site.ts';
import { requireConfirmation, yesOption } from '../terminal/confirm.ts';
import { jsonOption, printList, printResult } from '../terminal/output.ts';

export const role = {
  name: 'role',
  oneOf: roles,
  help: 'viewer: read; operator: also control devices; admin: also change; owner: also delete',
} as const;

const link = { name: 'link', help: 'the invitation link, or its last part' } as const;

const exampleLink = `https://energy.example.org${invitationPage}/1wFZbGBkyo0QmW4TtPzJv0q5Xnq2m0c3uR8aVJ6dE9s`;

const invite = command({
  name: 'org invite',
  summary: `Create a link that lets one person join an organization within ${invitationDays} days`,
  arguments: [role],
  options: {
    org: orgOption,
    name: { value: 'TEXT', help: 'a note about the invited person, shown in the list' },
    json: jsonOption,
  },
  examples: ['org invite viewer', 'org invite admin --org Home --name "Bo next door"'],
  async run({ arguments: { role }, options }, shell) {
    const api = await openSession(shell);
    const { id: org_id, name: organization } = await findOrganization(api, options.org);
    const body = { role, ...(options.name !== undefined && { name: options.name }) };
    const invitation = await api.call(createInvitation, { params: { org_id }, body });
    const sentences = [
      invitation.url,
      `The first person to open this link can join ${organization} as ${role}, until ${invitation.expires_at}.`,
      'Send it only to the person you invite. It is not shown again.',
    ];
    printResult(shell, options.json, invitation, sentences.join('\n'));
  },
});

const list = command({
  name: 'org invitations',
  summary: 'List the open invitations of an organization',
  arguments: [{ name: 'org', optional: true, help: 'id or name. Default: your only organization' }],
  options: { json: jsonOption },
  examples: ['org invitations', 'org invitations Home --json'],
  async run({ arguments: { org }, options }, shell) {
    const api = await openSession(shell);
    const { id: org_id } = await findOrganization(api, org);
    const found = await Array.fromAsync(api.pages(listInvitations, { params: { org_id } }));
    printList(shell, options.json, found, ['id', 'role', 'name', 'invited_by', 'expires_at']);
  },
});

const withdraw = command({
  name: 'org withdraw',
  summary: 'Withdraw an invitation',
  arguments: [{ name: 'invitation id', help: 'see ohmstead org invitations' }],
  options: { org: orgOption, json: jsonOption },
  examples: ['org withdraw inv-0198f0a2-7c3e-7d10-9a52-5d1f0b6c2e11'],
  async run({ arguments: { 'invitation id': invitation_id }, options }, shell) {
    const api = await openSession(shell);
    const { id: org_id } = await findOrganization(api, options.org);
    await api.call(withdrawInvitation, { params: { org_id, invitation_id } });
    printResult(shell, options.json, { id: invitation_id, withdrawn: true }, 'Invitation withdrawn.');
  },
});

const join = command({
  name: 'org join',
  summary: 'Accept an invitation and become a member',
  arguments: [link],
  options: { yes: yesOption, json: jsonOption },
  examples: [`org join ${exampleLink}`],
  async run({ arguments: { link }, options }, shell) {
    const api = await openSession(shell);
    const params = { secret: secretOf(link, api.url, join.name) };
    const { organization_name, role } = await api.call(getInvitation, { params });
    await requireConfirmation(options.yes, `You will join ${organization_name} as ${role}.`, shell, join.name);
    const membership = await api.call(acceptInvitation, { params });
    printResult(shell, options.json, membership, `You are now ${role} of ${organization_name} (${membership.org_id}).`);
  },
});

const decline = command({
  name: 'org decline',
  summary: 'Decline an invitation; its link stops working',
  arguments: [link],
  options: { json: jsonOption },
  examples: [`org decline ${exampleLink}`],
  async run({ arguments: { link }, options }, shell) {
    const api = await openSession(shell);
    const params = { secret: secretOf(link, api.url, decline.name) };
    await api.call(declineInvitation, { params });
    printResult(shell, options.json, { declined: true }, 'Invitation declined.');
  },
});

/** Returns the secret of an invitation link. Throws if the link is of another platform, which must not see the secret. */
function secretOf(link: string, platform: string, commandName: string): string {
  if (/^[\w-]{43}$/.test(link)) return link;
  const url = URL.parse(link);
  const secret = url?.pathname.split(`${invitationPage}/`)[1]?.replace(/\/$/, '');
  if (!url || !secret) throw new UsageError(`An invitation link looks like ${exampleLink}.`, commandName);
  if (url.origin === new URL(platform).origin) return secret;
  const where = `The link is for ${url.origin}, but you are signed in to ${platform}.`;
  throw new UsageError(
    `${where} Sign in there. If both addresses are the same platform, give only the last part of the link.`,
    commandName,
  );
}

export const invitationCommands = [invite, list, withdraw, join, decline];
