import type { Ohmstead } from '#contract/client/connect.ts';
import { listOrganizations, type Organization } from '#contract/cloud/organizations.ts';
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
  return choose(sites, given, { what: 'site', maker: 'site create <name>' });
}

export const orgOption = {
  value: 'ORG',
  says: 'id or name of the organization; the only one when left out',
} as const satisfies Option;

/** The organization of this id or name; the only one there is when none is given. */
export async function findOrganization(api: Ohmstead, given: string | undefined): Promise<Organization> {
  const organizations = await Array.fromAsync(api.pages(listOrganizations, { query: { limit: 1000 } }));
  return choose(organizations, given, { what: 'organization', maker: 'org create <name>' });
}
