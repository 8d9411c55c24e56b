import type { Ohmstead } from '#contract/client/connect.ts';
import { isChosen, listOrganizations, type Organization } from '#contract/cloud/organizations.ts';
import { listSites, type Site } from '#contract/cloud/sites.ts';
import type { Option } from '../line/command.ts';
import { choose } from './choose.ts';

export const siteOption = {
  value: 'SITE',
  says: 'id or name of the site; the only one when left out',
} as const satisfies Option;

/** The site of this id or name; the only one there is when none is given. */
export async function findSite(api: Ohmstead, given: string | undefined): Promise<Site> {
  const sites = await Array.fromAsync(api.pages(listSites, { query: { limit: 1000 } }));
  const chosen = new Set(given === undefined ? (await organizationsOf(api)).filter(isChosen).map(({ id }) => id) : []);
  return choose(sites, given, {
    what: 'site',
    maker: 'site create <name>',
    isDefault: ({ org_id }) => chosen.has(org_id),
  });
}

export const orgOption = {
  value: 'ORG',
  says: 'id or name of the organization; the only one when left out',
} as const satisfies Option;

const organizationsOf = (api: Ohmstead): Promise<Organization[]> =>
  Array.fromAsync(api.pages(listOrganizations, { query: { limit: 1000 } }));

/** The organization of this id or name; the only one there is when none is given. */
export async function findOrganization(api: Ohmstead, given: string | undefined): Promise<Organization> {
  const choice = { what: 'organization', maker: 'org create <name>', isDefault: isChosen };
  return choose(await organizationsOf(api), given, choice);
}
