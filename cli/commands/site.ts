import type { TObject } from 'typebox';
import { createSite, deleteSite, getSite, listSites, updateSite } from '#contract/cloud/sites.ts';
import type { RequestOf } from '#contract/route.ts';
import { command, type Option, UsageError } from '../line/command.ts';
import { didYouMean, findNearest } from '../line/nearest.ts';
import { openSession } from '../sign-in/session.ts';
import { findOrganization, findSite, orgOption } from '../sites/find-site.ts';
import { requireConfirmation, yesOption } from '../terminal/confirm.ts';
import { columns, jsonOption, printList, printResult } from '../terminal/output.ts';

type Property = {
  type: string | readonly string[];
  description?: string;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
};

type Fields = Readonly<Record<string, Property>>;

const optionName = (field: string): string => field.replaceAll('_', '-');

const isNumber = ({ type }: Property): boolean => type === 'number' || type.includes('number');

/** Creates an option for every field except `others`, which the command fills in. */
function schemaOptions({ properties }: TObject, others: readonly string[] = []): object {
  const fields = Object.entries(properties as unknown as Fields).filter(([field]) => !others.includes(field));
  return Object.fromEntries(
    fields.map(([field, property]): [string, Option] => [
      optionName(field),
      { value: valueWord(property), help: wordsOf(field, property) },
    ]),
  );
}

const valueWord = (property: Property): string => (isNumber(property) ? 'NUMBER' : 'TEXT');

function wordsOf(field: string, property: Property): string {
  const { description, minimum, exclusiveMinimum, maximum } = property;
  if (description) return description;
  const name = field.replaceAll('_', ' ');
  return isNumber(property) ? `${name}, from ${minimum ?? exclusiveMinimum} to ${maximum}` : name;
}

/** Reads the fields given as options. The platform checks their values. */
function givenFields(
  { properties }: TObject,
  options: Readonly<Record<string, string | boolean | undefined>>,
  commandName: string,
): Record<string, string | number> {
  const given: Record<string, string | number> = {};
  for (const [field, property] of Object.entries(properties as unknown as Fields)) {
    const text = options[optionName(field)];
    if (typeof text !== 'string') continue;
    given[field] = isNumber(property) ? numberOf(text, optionName(field), commandName) : text;
  }
  return given;
}

function numberOf(text: string, option: string, commandName: string): number {
  if (/^[+-]?\d+(\.\d+)?$/.test(text)) return Number(text);
  throw new UsageError(`--${option} must be a number, not "${text}".`, commandName);
}

const siteArgument = { name: 'site', help: 'id or name' } as const;

const list = command({
  name: 'site list',
  summary: 'List your sites',
  options: { org: { ...orgOption, help: 'only sites of this organization (id or name)' }, json: jsonOption },
  examples: ['site list', 'site list --org Home --json'],
  async run({ options }, shell) {
    const api = await openSession(shell);
    const org = options.org === undefined ? undefined : await findOrganization(api, options.org);
    const sites = await Array.fromAsync(api.pages(listSites, { query: org ? { org_id: org.id } : {} }));
    printList(shell, options.json, sites, ['id', 'name', 'org_id', 'timezone', 'price_area']);
  },
});

const create = command({
  name: 'site create',
  summary: 'Create a site in an organization',
  arguments: [{ name: 'name', help: 'display name' }],
  options: { ...schemaOptions(createSite.body, ['org_id', 'name']), org: orgOption, json: jsonOption },
  examples: [
    'site create House --latitude 59.33 --longitude 18.07 --country SE --price-area SE3',
    'site create "Summer house" --org Home --timezone Europe/Stockholm --fuse-a 16',
  ],
  async run({ arguments: { name }, options }, shell) {
    const fields = givenFields(createSite.body, options, create.name);
    const api = await openSession(shell);
    const { id: org_id } = await findOrganization(api, options.org);
    const site = await api.call(createSite, { body: { ...fields, org_id, name } });
    printResult(shell, options.json, site, `Created ${site.name} (${site.id}).`);
  },
});

const show = command({
  name: 'site show',
  summary: 'Show a site with its devices',
  arguments: [{ ...siteArgument, optional: true, help: 'id or name. Default: your only site' }],
  options: { json: jsonOption },
  examples: ['site show', 'site show House --json'],
  async run({ arguments: { site: given }, options }, shell) {
    const api = await openSession(shell);
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
      devices.length === 0 ? 'No devices.' : columns(rows),
    ];
    printResult(shell, options.json, site, sentence.join('\n\n'));
  },
});

const set = command({
  name: 'site set',
  summary: 'Change the settings of a site',
  arguments: [siteArgument],
  options: {
    ...schemaOptions(updateSite.body),
    unset: { value: 'FIELDS', help: 'fields to clear, comma separated, for example tariff-id,fuse-a' },
    json: jsonOption,
  },
  examples: ['site set House --name "The house" --fuse-a 20', 'site set House --unset tariff-id'],
  async run({ arguments: { site: given }, options }, shell) {
    const fields = givenFields(updateSite.body, options, set.name);
    const changes = { ...fields, ...unsetFields(options.unset) };
    if (Object.keys(changes).length === 0)
      throw new UsageError('Nothing to change: give at least one option.', set.name);
    const api = await openSession(shell);
    const { id: site_id } = await findSite(api, given);
    const body = changes as RequestOf<typeof updateSite>['body']; // the platform checks them
    const site = await api.call(updateSite, { params: { site_id }, body });
    printResult(shell, options.json, site, `Changed ${site.name}: ${Object.keys(changes).join(', ')}.`);
  },
});

function unsetFields(text: string | undefined): Record<string, null> {
  const known = Object.keys(schemaOptions(updateSite.body, ['name']));
  const names = text?.split(',') ?? [];
  for (const name of names) {
    if (!known.includes(name)) {
      throw new UsageError(`A site has no field ${name} to clear${didYouMean(findNearest(name, known))}`, set.name);
    }
  }
  return Object.fromEntries(names.map((name) => [name.replaceAll('-', '_'), null]));
}

const remove = command({
  name: 'site delete',
  summary: 'Delete a site',
  arguments: [siteArgument],
  options: { cascade: { help: 'also delete its devices and their history' }, yes: yesOption, json: jsonOption },
  examples: ['site delete "Summer house"', 'site delete House --cascade --yes'],
  async run({ arguments: { site: given }, options }, shell) {
    const api = await openSession(shell);
    const { id, name } = await findSite(api, given);
    const question = `This deletes ${name} (${id})${options.cascade ? ' and its devices, and erases their history' : ''}.`;
    await requireConfirmation(options.yes, question, shell, remove.name);
    await api.call(deleteSite, { params: { site_id: id }, query: { cascade: options.cascade } });
    printResult(shell, options.json, { id, deleted: true }, `Deleted ${name}.`);
  },
});

export const siteCommands = [list, create, show, set, remove];
