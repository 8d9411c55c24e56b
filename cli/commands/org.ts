import * as contract from '#contract/cloud/organizations.ts';
import { defaultedNumber } from '../line/quantity.ts';
import { signedIn } from '../sign-in/session.ts';
import { findOrganization } from '../sites/find-site.ts';
import { requireConfirmation, yesOption } from '../terminal/output.ts';
import { memberCommands } from './org-members.ts';

const list = signedIn('org list', {
  summary: 'List your organizations',
  examples: ['org list', 'org list --json'],
  run: async ({ api }) => ({
    items: api.pages(contract.listOrganizations),
    fields: ['id', 'name', 'owner_id', 'created_at'],
  }),
});

const create = signedIn('org create', {
  summary: 'Create an organization that you own',
  arguments: [{ name: 'name', help: 'display name' }],
  examples: ['org create Home', 'org create "Our street" --json'],
  async run({ api, arguments: { name } }) {
    const organization = await api.call(contract.createOrganization, { body: { name } });
    return { result: organization, text: `Created ${name} (${organization.id}).` };
  },
});

const audit = signedIn('org audit', {
  summary: 'Show who did what in an organization, newest first',
  arguments: [{ name: 'org', optional: true, help: 'id or name. Default: your only organization' }],
  options: { last: defaultedNumber('NUMBER', 'number of entries', 50, { min: 1, isWhole: true }) },
  examples: ['org audit', 'org audit Home --last 200 --json'],
  async run({ api, arguments: { org }, options: { last } }) {
    const { id: org_id } = await findOrganization(api, org);
    const request = { params: { org_id }, query: { limit: Math.min(last, 1000) } };
    const entries: contract.AuditEntry[] = [];
    for await (const entry of api.pages(contract.listAudit, request)) if (entries.push(entry) === last) break;
    return { items: entries, fields: ['at', 'actor_name', 'actor', 'action', 'object_name', 'object', 'details'] };
  },
});

const remove = signedIn('org delete', {
  summary: 'Delete an organization without sites and gateways',
  arguments: [{ name: 'org', help: 'id or name' }],
  options: { yes: yesOption },
  examples: ['org delete Home', 'org delete org-0198f0a2-7c3e-7d10-9a52-5d1f0b6c2e11 --yes'],
  async run({ api, arguments: { org }, options }, shell) {
    const { id, name } = await findOrganization(api, org);
    await requireConfirmation(options.yes, `This deletes ${name} (${id}) for all its members.`, shell);
    await api.call(contract.deleteOrganization, { params: { org_id: id } });
    return { result: { id, deleted: true }, text: `Deleted ${name}.` };
  },
});

export const commands = [list, create, ...memberCommands, audit, remove];
