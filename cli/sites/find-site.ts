import type { Ohmstead } from '#contract/client/connect.ts';
import { isChosen, listOrganizations, type Organization } from '#contract/cloud/organizations.ts';
import { listSites, type Site } from '#contract/cloud/sites.ts';
import { Problem } from '#contract/problem.ts';
import type { Option } from '../line/command.ts';
import { didYouMean } from '../line/nearest.ts';

export const siteOption = {
  value: 'SITE',
  help: 'id or name of the site. Default: your only site',
} as const satisfies Option;

/** Finds a site by id or name; without one, the only site. */
export async function findSite(api: Ohmstead, given: string | undefined): Promise<Site> {
  const sites = await Array.fromAsync(api.pages(listSites, { query: { limit: 1000 } }));
  const chosen = new Set(given === undefined ? (await organizationsOf(api)).filter(isChosen).map(({ id }) => id) : []);
  return choose(sites, given, {
    what: 'site',
    createCommand: 'site create <name>',
    isDefault: ({ org_id }) => chosen.has(org_id),
  });
}

export const orgOption = {
  value: 'ORG',
  help: 'id or name of the organization. Default: your only organization',
} as const satisfies Option;

const organizationsOf = (api: Ohmstead): Promise<Organization[]> =>
  Array.fromAsync(api.pages(listOrganizations, { query: { limit: 1000 } }));

/** Finds an organization by id or name; without one, the only organization. */
export async function findOrganization(api: Ohmstead, given: string | undefined): Promise<Organization> {
  const choice = { what: 'organization', createCommand: 'org create <name>', isDefault: isChosen };
  return choose(await organizationsOf(api), given, choice);
}

/** Returns the query of a list of one organization, or of all. */
export const orgFilter = async (api: Ohmstead, given: string | undefined): Promise<{ org_id?: string }> =>
  given === undefined ? {} : { org_id: (await findOrganization(api, given)).id };

type Named = { id: string; name: string };

type Choice<Item> = {
  what: string;
  createCommand: string;
  /** whether it may be chosen without being named */
  isDefault(item: Item): boolean;
};

const lineOf = ({ id, name }: Named): string => `  ${id}  ${name}`;

function choose<Item extends Named>(items: readonly Item[], given: string | undefined, choice: Choice<Item>): Item {
  const { what, createCommand, isDefault } = choice;
  const byId = items.find(({ id }) => id === given);
  if (byId) return byId;
  const fitting = given === undefined ? items.filter(isDefault) : items.filter(({ name }) => name === given);
  const [only] = fitting;
  if (only && fitting.length === 1) return only;
  if (fitting.length > 1) {
    const why =
      given === undefined
        ? `You have several ${what}s. Choose one by its name or id; --help shows how:`
        : `Several ${what}s are named "${given}"; choose one by its id:`;
    throw new Problem('conflict', [why, ...fitting.map(lineOf)].join('\n'));
  }
  if (given === undefined && items.length > 0) {
    const why = `You were added to an organization without an invitation, so no ${what} of it is preselected`;
    throw new Problem('conflict', [`${why}; choose one by its id:`, ...items.map(lineOf)].join('\n'));
  }
  if (given === undefined)
    throw new Problem('not_found', `You have no ${what} yet; create one with: ohmstead ${createCommand}`);
  const names = items.map(({ name }) => name);
  throw new Problem('not_found', `No ${what} is named "${given}"${didYouMean(given, names, '"')}`);
}
