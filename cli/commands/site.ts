import type { TObject } from 'typebox';
import { createSite, deleteSite, getSite, listSites, updateSite } from '#contract/cloud/sites.ts';
import type { RequestOf } from '#contract/route.ts';
import { optionOf } from '../gateways/connection-fields.ts';
import { type Option, UsageError } from '../line/command.ts';
import { didYouMean } from '../line/nearest.ts';
import { machineTimeZone } from '../line/time.ts';
import { signedIn } from '../sign-in/session.ts';
import { findOrganization, findSite, orgFilter, orgOption } from '../sites/find-site.ts';
import { columns, requireConfirmation, yesOption } from '../terminal/output.ts';

type Property = {
  type?: string | readonly string[];
  description?: string;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
};

type Fields = Readonly<Record<string, Property>>;

const isNumber = ({ type = '' }: Property): boolean => type.includes('number');

/** Creates an option for every field except `others`, which the command fills in. */
function schemaOptions({ properties }: TObject, others: readonly string[] = []): object {
  const all: Fields = properties;
  const fields = Object.entries(all).filter(([field]) => !others.includes(field));
  return Object.fromEntries(fields.map(([field, property]) => [optionOf(field), fieldOption(field, property)]));
}

function fieldOption(field: string, property: Property): Option {
  const name = field.replaceAll('_', ' ');
  const { description, minimum, exclusiveMinimum, maximum } = property;
  if (!isNumber(property)) return { value: 'TEXT', help: description ?? name };
  const help = description ?? `${name}, from ${minimum ?? exclusiveMinimum} to ${maximum}`;
  return { value: 'NUMBER', help, read: readNumber };
}

function readNumber(text: string, name: string): number {
  if (/^[+-]?\d+(\.\d+)?$/.test(text)) return Number(text);
  throw new UsageError(`${name} must be a number, not "${text}".`);
}

/** Returns the fields given as options. The platform checks their values. */
const givenFields = ({ properties }: TObject, options: object): Record<string, unknown> => {
  const given = new Map(Object.entries(options).filter(([, value]) => value !== undefined));
  const fields = Object.keys(properties).filter((field) => given.has(optionOf(field)));
  return Object.fromEntries(fields.map((field) => [field, given.get(optionOf(field))]));
};

const siteArgument = { name: 'site', help: 'id or name' } as const;

const list = signedIn('site list', {
  summary: 'List your sites',
  options: { org: { ...orgOption, help: 'only sites of this organization (id or name)' } },
  examples: ['site list', 'site list --org Home --json'],
  async run({ api, options }) {
    const items = api.pages(listSites, { query: await orgFilter(api, options.org) });
    return { items, fields: ['id', 'name', 'org_id', 'timezone', 'price_area'] };
  },
});

/** Returns the time zone of this machine for a site without a position. Without a time zone its days would begin at midnight in UTC. */
function usualTimeZone({ timezone, latitude, longitude }: Record<string, unknown>): { timezone?: string } {
  const isGiven = [timezone, latitude, longitude].some((value) => value !== undefined);
  const zone = machineTimeZone();
  return isGiven || zone === 'Etc/Unknown' ? {} : { timezone: zone };
}

const create = signedIn('site create', {
  summary: 'Create a site in an organization. Without a position it has the time zone of this machine',
  arguments: [{ name: 'name', help: 'display name' }],
  options: { ...schemaOptions(createSite.body, ['org_id', 'name']), org: orgOption },
  examples: [
    'site create House --latitude 59.33 --longitude 18.07 --country SE --price-area SE3',
    'site create "Summer house" --org Home --timezone Europe/Stockholm --fuse-a 16',
  ],
  async run({ api, arguments: { name }, options }) {
    const { id: org_id } = await findOrganization(api, options.org);
    const given = givenFields(createSite.body, options);
    const site = await api.call(createSite, { body: { ...given, ...usualTimeZone(given), org_id, name } });
    const text = `Created ${site.name} (${site.id}). Its days begin at midnight in ${site.timezone ?? 'UTC'}; site set changes the time zone.`;
    return { result: site, text };
  },
});

const show = signedIn('site show', {
  summary: 'Show a site with its devices',
  arguments: [{ ...siteArgument, optional: true, help: 'id or name. Default: your only site' }],
  examples: ['site show', 'site show House --json'],
  async run({ api, arguments: { site: given } }) {
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
    return { result: site, text: sentence.join('\n\n') };
  },
});

const set = signedIn('site set', {
  summary: 'Change the settings of a site',
  arguments: [siteArgument],
  options: {
    ...schemaOptions(updateSite.body),
    unset: {
      value: 'FIELDS',
      help: 'fields to clear, comma separated, for example tariff-id,fuse-a',
      read: readUnset,
    },
  },
  examples: ['site set House --name "The house" --fuse-a 20', 'site set House --unset tariff-id'],
  async run({ api, arguments: { site: given }, options }) {
    const changes = { ...givenFields(updateSite.body, options), ...options.unset };
    if (Object.keys(changes).length === 0) throw new UsageError('Nothing to change: give at least one option.');
    const { id: site_id } = await findSite(api, given);
    const body = changes as RequestOf<typeof updateSite>['body']; // the platform checks them
    const site = await api.call(updateSite, { params: { site_id }, body });
    return { result: site, text: `Changed ${site.name}: ${Object.keys(changes).join(', ')}.` };
  },
});

function readUnset(text: string): Record<string, null> {
  const known = Object.keys(schemaOptions(updateSite.body, ['name']));
  const names = text.split(',');
  const unknown = names.find((name) => !known.includes(name));
  if (unknown) throw new UsageError(`A site has no field ${unknown} to clear${didYouMean(unknown, known)}`);
  return Object.fromEntries(names.map((name) => [name.replaceAll('-', '_'), null]));
}

const remove = signedIn('site delete', {
  summary: 'Delete a site',
  arguments: [siteArgument],
  options: { cascade: { help: 'also delete its devices and their history' }, yes: yesOption },
  examples: ['site delete "Summer house"', 'site delete House --cascade --yes'],
  async run({ api, arguments: { site: given }, options }, shell) {
    const { id, name } = await findSite(api, given);
    const question = `This deletes ${name} (${id})${options.cascade ? ' and its devices, and erases their history' : ''}.`;
    await requireConfirmation(options.yes, question, shell);
    await api.call(deleteSite, { params: { site_id: id }, query: { cascade: options.cascade } });
    return { result: { id, deleted: true }, text: `Deleted ${name}.` };
  },
});

export const commands = [list, create, show, set, remove];
