import { createSite, deleteSite, getSite, listSites, updateSite } from '#contract/cloud/sites.ts';
import type { RequestOf } from '#contract/route.ts';
import { command } from '../line/command.ts';
import { didYouMean, nearest } from '../line/nearest.ts';
import { givenFields, schemaOptions } from '../line/schema-options.ts';
import { UsageError } from '../line/usage-error.ts';
import { signedIn } from '../sign-in/session.ts';
import { findOrganization, findSite, orgOption } from '../sites/find-site.ts';
import { agree, yesOption } from '../terminal/confirm.ts';
import { columns, jsonOption, printList, printResult } from '../terminal/output.ts';

const siteArgument = { name: 'site', says: 'id or name' } as const;

const list = command({
  name: 'site list',
  summary: 'List your sites',
  options: { org: { ...orgOption, says: 'only those of this organization, by id or name' }, json: jsonOption },
  examples: ['site list', 'site list --org Home --json'],
  async run({ options }, shell) {
    const api = await signedIn(shell);
    const org = options.org === undefined ? undefined : await findOrganization(api, options.org);
    const sites = await Array.fromAsync(api.pages(listSites, { query: org ? { org_id: org.id } : {} }));
    printList(shell, options.json, sites, ['id', 'name', 'org_id', 'timezone', 'price_area']);
  },
});

const create = command({
  name: 'site create',
  summary: 'Create a site in an organization',
  arguments: [{ name: 'name', says: 'what people call it' }],
  options: { ...schemaOptions(createSite.body, ['org_id', 'name']), org: orgOption, json: jsonOption },
  examples: [
    'site create House --latitude 59.33 --longitude 18.07 --country SE --price-area SE3',
    'site create "Summer house" --org Home --timezone Europe/Stockholm --fuse-a 16',
  ],
  async run({ arguments: { name }, options }, shell) {
    const fields = givenFields(createSite.body, options, create.name);
    const api = await signedIn(shell);
    const { id: org_id } = await findOrganization(api, options.org);
    const site = await api.call(createSite, { body: { ...fields, org_id, name } });
    printResult(shell, options.json, site, `${site.id} is ${site.name}.`);
  },
});

const show = command({
  name: 'site show',
  summary: 'Show a site with its devices',
  arguments: [{ ...siteArgument, optional: true, says: 'id or name; the only one when left out' }],
  options: { json: jsonOption },
  examples: ['site show', 'site show House --json'],
  async run({ arguments: { site: given }, options }, shell) {
    const api = await signedIn(shell);
    const { id: site_id } = await findSite(api, given);
    const site = await api.call(getSite, { params: { site_id } });
    const { devices, ...facts } = site;
    const rows = devices.map(({ id, name, type, state, online, ders }) => [
      id,
      name,
      type,
      state,
      online ? 'online' : 'offline',
      ders.map((der) => `${der.name} (${der.type})`).join(', '),
    ]);
    const sentence = [
      columns(Object.entries(facts).map(([field, value]) => [field, String(value)])),
      devices.length === 0 ? 'It has no devices.' : columns(rows),
    ];
    printResult(shell, options.json, site, sentence.join('\n\n'));
  },
});

const set = command({
  name: 'site set',
  summary: 'Change what is known about a site',
  arguments: [siteArgument],
  options: {
    ...schemaOptions(updateSite.body),
    unset: { value: 'FIELDS', says: 'take these away again, comma separated, for example tariff-id,fuse-a' },
    json: jsonOption,
  },
  examples: ['site set House --name "The house" --fuse-a 20', 'site set House --unset tariff-id'],
  async run({ arguments: { site: given }, options }, shell) {
    const fields = givenFields(updateSite.body, options, set.name);
    const changes = { ...fields, ...unsetFields(options.unset) };
    if (Object.keys(changes).length === 0) throw new UsageError('Say what is to be changed.', set.name);
    const api = await signedIn(shell);
    const { id: site_id } = await findSite(api, given);
    const body = changes as RequestOf<typeof updateSite>['body']; // the platform checks them
    const site = await api.call(updateSite, { params: { site_id }, body });
    printResult(shell, options.json, site, `${site.name} is changed: ${Object.keys(changes).join(', ')}.`);
  },
});

function unsetFields(text: string | undefined): Record<string, null> {
  const known = Object.keys(schemaOptions(updateSite.body, ['name']));
  const names = text?.split(',') ?? [];
  for (const name of names) {
    if (!known.includes(name)) {
      throw new UsageError(`A site has no ${name} to take away${didYouMean(nearest(name, known))}`, set.name);
    }
  }
  return Object.fromEntries(names.map((name) => [name.replaceAll('-', '_'), null]));
}

const remove = command({
  name: 'site delete',
  summary: 'Delete a site',
  arguments: [siteArgument],
  options: { cascade: { says: 'and its devices' }, yes: yesOption, json: jsonOption },
  examples: ['site delete "Summer house"', 'site delete House --cascade --yes'],
  async run({ arguments: { site: given }, options }, shell) {
    const api = await signedIn(shell);
    const { id, name } = await findSite(api, given);
    const question = `This deletes ${name} (${id})${options.cascade ? ' and its devices, and erases their history' : ''}.`;
    await agree(options.yes, question, shell, remove.name);
    await api.call(deleteSite, { params: { site_id: id }, query: { cascade: options.cascade } });
    printResult(shell, options.json, { id, deleted: true }, `${name} is deleted.`);
  },
});

export const siteCommands = [list, create, show, set, remove];
