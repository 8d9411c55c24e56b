import { signal } from '@preact/signals';
import { isChosen, listOrganizations } from '#contract/cloud/organizations.ts';
import { getSite, listSites, type Site, type SiteDetails } from '#contract/cloud/sites.ts';
import { Problem } from '#contract/problem.ts';
import { gather } from '../parts/gather.ts';
import { type Load, useLoad } from '../parts/load.tsx';
import { PageProblem } from '../parts/problem-words.ts';
import { pageUrl } from '../parts/router.tsx';
import { readStored, store } from '../parts/storage.ts';
import { texts } from '../parts/text.ts';
import { api } from './session.ts';

const t = texts({
  none: [
    'This site does not exist, or you do not have access to it.',
    'Anläggningen finns inte, eller så har du inte behörighet till den.',
  ],
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
      const site = await getSiteDetails(id, signal);
      rememberSite(id);
      return site;
    },
    [id],
  );

async function getSiteDetails(id: string, signal: AbortSignal): Promise<SiteDetails> {
  try {
    return await api().call(getSite, { params: { site_id: id }, signal });
  } catch (cause) {
    if (!(cause instanceof Problem && cause.code === 'not_found')) throw cause;
    throw new PageProblem('not_found', t('none'), {}, { cause });
  }
}

/** Lists sites of organizations that the person created or joined by invitation. Other sites are never opened automatically. */
export async function chosenSites(signal: AbortSignal): Promise<Site[]> {
  const [sites, organizations] = await Promise.all([
    allSites(signal),
    gather(api().pages(listOrganizations, { signal })),
  ]);
  const chosen = new Set(organizations.filter(isChosen).map(({ id }) => id));
  return sites.filter(({ org_id }) => chosen.has(org_id));
}

export const allSites = (signal: AbortSignal): Promise<Site[]> => gather(api().pages(listSites, { signal }));
