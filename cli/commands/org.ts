import {
  type AuditEntry,
  createOrganization,
  deleteOrganization,
  listAudit,
  listOrganizations,
} from '#contract/cloud/organizations.ts';
import { command, UsageError } from '../line/command.ts';
import { openSession } from '../sign-in/session.ts';
import { findOrganization } from '../sites/find-site.ts';
import { requireConfirmation, yesOption } from '../terminal/confirm.ts';
import { jsonOption, printList, printResult } from '../terminal/output.ts';
import { memberCommands } from './org-members.ts';

const list = command({
  name: 'org list',
  summary: 'List your organizations',
  options: { json: jsonOption },
  examples: ['org list', 'org list --json'],
  async run({ options }, shell) {
    const api = await openSession(shell);
    const organizations = await Array.fromAsync(api.pages(listOrganizations));
    printList(shell, options.json, organizations, ['id', 'name', 'owner_id', 'created_at']);
  },
});

const create = command({
  name: 'org create',
  summary: 'Create an organization that you own',
  arguments: [{ name: 'name', help: 'display name' }],
  options: { json: jsonOption },
  examples: ['org create Home', 'org create "Our street" --json'],
  async run({ arguments: { name }, options }, shell) {
    const api = await openSession(shell);
    const organization = await api.call(createOrganization, { body: { name } });
    printResult(shell, options.json, organization, `Created ${name} (${organization.id}).`);
  },
});

const defaultEntries = 50;

const audit = command({
  name: 'org audit',
  summary: 'Show who did what in an organization, newest first',
  arguments: [{ name: 'org', optional: true, help: 'id or name. Default: your only organization' }],
  options: { last: { value: 'NUMBER', help: `number of entries. Default ${defaultEntries}` }, json: jsonOption },
  examples: ['org audit', 'org audit Home --last 200 --json'],
  async run({ arguments: { org }, options }, shell) {
    const last = Number(options.last ?? defaultEntries);
    if (!Number.isInteger(last) || last < 1) throw new UsageError('--last must be a whole number from 1.', audit.name);
    const api = await openSession(shell);
    const { id: org_id } = await findOrganization(api, org);
    const request = { params: { org_id }, query: { limit: Math.min(last, 1000) } };
    const entries: AuditEntry[] = [];
    for await (const entry of api.pages(listAudit, request)) {
      entries.push(entry);
      if (entries.length === last) break;
    }
    printList(shell, options.json, entries, ['at', 'actor', 'action', 'object', 'details']);
  },
});

const remove = command({
  name: 'org delete',
  summary: 'Delete an organization without sites and gateways',
  arguments: [{ name: 'org', help: 'id or name' }],
  options: { yes: yesOption, json: jsonOption },
  examples: ['org delete Home', 'org delete org-0198f0a2-7c3e-7d10-9a52-5d1f0b6c2e11 --yes'],
  async run({ arguments: { org }, options }, shell) {
    const api = await openSession(shell);
    const organization = await findOrganization(api, org);
    const { id, name } = organization;
    await requireConfirmation(options.yes, `This deletes ${name} (${id}) for all its members.`, shell, remove.name);
    await api.call(deleteOrganization, { params: { org_id: id } });
    printResult(shell, options.json, { id, deleted: true }, `Deleted ${name}.`);
  },
});

export const orgCommands = [list, create, ...memberCommands, audit, remove];
