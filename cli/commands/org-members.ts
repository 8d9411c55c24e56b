import { addMember, listMembers, removeMember, updateMember } from '#contract/cloud/organizations.ts';
import { signedIn } from '../sign-in/session.ts';
import { findOrganization, orgOption } from '../sites/find-site.ts';
import { requireConfirmation, yesOption } from '../terminal/output.ts';
import { invitationCommands, role } from './org-invitations.ts';

const identity = { name: 'identity id', help: 'identity of the member (they find it with ohmstead whoami)' } as const;

const exampleId = 'idt-0198f0a2-7c3e-7d10-9a52-5d1f0b6c2e11';

const members = signedIn('org members', {
  summary: 'List the members of an organization',
  arguments: [{ name: 'org', optional: true, help: 'id or name. Default: your only organization' }],
  examples: ['org members', 'org members Home --json'],
  async run({ api, arguments: { org } }) {
    const { id: org_id } = await findOrganization(api, org);
    return {
      items: api.pages(listMembers, { params: { org_id } }),
      fields: ['name', 'identity_id', 'role', 'joined_at'],
    };
  },
});

const add = signedIn('org add-member', {
  summary: 'Add a member from another of your organizations; invite anyone else',
  arguments: [identity, role],
  options: { org: orgOption },
  examples: [`org add-member ${exampleId} viewer`, `org add-member ${exampleId} admin --org Home`],
  async run({ api, arguments: { 'identity id': identity_id, role }, options }) {
    const { id: org_id, name } = await findOrganization(api, options.org);
    const member = await api.call(addMember, { params: { org_id }, body: { identity_id, role } });
    return { result: member, text: `${identity_id} is now ${member.role} of ${name}.` };
  },
});

const setRole = signedIn('org set-role', {
  summary: 'Change the role of a member',
  arguments: [identity, role],
  options: { org: orgOption },
  examples: [`org set-role ${exampleId} operator`],
  async run({ api, arguments: { 'identity id': identity_id, role }, options }) {
    const { id: org_id, name } = await findOrganization(api, options.org);
    const member = await api.call(updateMember, { params: { org_id, identity_id }, body: { role } });
    return { result: member, text: `${identity_id} is now ${member.role} of ${name}.` };
  },
});

const remove = signedIn('org remove-member', {
  summary: 'Remove a member, or leave an organization',
  arguments: [identity],
  options: { org: orgOption, yes: yesOption },
  examples: [`org remove-member ${exampleId}`, `org remove-member ${exampleId} --org Home --yes`],
  async run({ api, arguments: { 'identity id': identity_id }, options }, shell) {
    const { id: org_id, name } = await findOrganization(api, options.org);
    const question =
      identity_id === api.identityId
        ? `You will lose access to ${name}.`
        : `${identity_id} will lose access to ${name}.`;
    await requireConfirmation(options.yes, question, shell);
    await api.call(removeMember, { params: { org_id, identity_id } });
    return { result: { org_id, identity_id, removed: true }, text: `${identity_id} is no longer a member of ${name}.` };
  },
});

export const memberCommands = [members, ...invitationCommands, add, setRole, remove];
