import { signal } from '@preact/signals';
import { isChosen, listOrganizations, type Organization } from '#contract/cloud/organizations.ts';
import { getSite, listSites, type Site, type SiteDetails } from '#contract/cloud/sites.ts';
import { type Load, useLoad } from '../parts/load.tsx';
import { pageUrl } from '../parts/router.tsx';
import { readStored, store } from '../parts/storage.ts';
import { texts } from '../parts/text.ts';
import { explaining } from './explain.ts';
import { noteSite } from './last-values.ts';
import { api } from './session.ts';

const t = texts({
  not_found: 'This site does not exist, or you do not have access to it.',
});

/** Returns the site in the address, or the last one that was opened. */
export function currentSiteId(): string | undefined {
  return /^\/app\/sites\/([^/]+)/.exec(pageUrl.value.pathname)?.[1] ?? lastSite.value;
}

const lastSite = signal(readStored('site'));

export function rememberSite(id: string | undefined): void {
  if (lastSite.peek() === id) return;
  store('site', id);
  lastSite.value = id;
}

/** Loads a site with its devices. */
export const useSite = (id: string): Load<SiteDetails> =>
  useLoad(
    async (signal) => {
      const site = await explaining(api().call(getSite, { params: { site_id: id }, signal }), t);
      rememberSite(id);
      noteSite(site);
      return site;
    },
    [id],
  );

/** Lists sites of organizations that the person created or joined by invitation. Other sites are never opened automatically. */
export async function chosenSites(signal: AbortSignal): Promise<Site[]> {
  const [sites, organizations] = await Promise.all([allSites(signal), allOrganizations(signal)]);
  const chosen = new Set(organizations.filter(isChosen).map(({ id }) => id));
  return sites.filter(({ org_id }) => chosen.has(org_id));
}

export const allSites = (signal: AbortSignal): Promise<Site[]> => Array.fromAsync(api().pages(listSites, { signal }));

export const allOrganizations = (signal?: AbortSignal): Promise<Organization[]> =>
  Array.fromAsync(api().pages(listOrganizations, { ...(signal && { signal }) }));

/** Returns the names of the organizations by ID. */
export const organizationNames = async (signal: AbortSignal): Promise<Map<string, string>> =>
  new Map((await allOrganizations(signal)).map(({ id, name }) => [id, name]));
