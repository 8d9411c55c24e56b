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
  en: { none: 'There is no such site, or it is not one of those that you may see.' },
  sv: { none: 'Det finns ingen sådan anläggning, eller så är den inte en av dem du får se.' },
});

/** The site that the address names, else the one looked at last. */
export function currentSite(): string | undefined {
  return /^\/app\/sites\/([^/]+)/.exec(pageUrl.value.pathname)?.[1] ?? lastSite.value;
}

const lastSite = signal(readStored('site'));

export function rememberSite(id: string | undefined): void {
  if (lastSite.peek() === id) return;
  store('site', id);
  lastSite.value = id;
}

/** One site with its devices. */
export const useSite = (id: string): Load<SiteDetails> =>
  useLoad(
    async (signal) => {
      const site = await findSite(id, signal);
      rememberSite(id);
      return site;
    },
    [id],
  );

async function findSite(id: string, signal: AbortSignal): Promise<SiteDetails> {
  try {
    return await api().call(getSite, { params: { site_id: id }, signal });
  } catch (cause) {
    if (!(cause instanceof Problem && cause.code === 'not_found')) throw cause;
    throw new PageProblem('not_found', t('none'), {}, { cause });
  }
}

/** The sites of organizations that the person created or joined by invitation: others are never opened unasked. */
export async function chosenSites(signal: AbortSignal): Promise<Site[]> {
  const [sites, organizations] = await Promise.all([
    allSites(signal),
    gather(api().pages(listOrganizations, { signal })),
  ]);
  const chosen = new Set(organizations.filter(isChosen).map(({ id }) => id));
  return sites.filter(({ org_id }) => chosen.has(org_id));
}

export const allSites = (signal: AbortSignal): Promise<Site[]> => gather(api().pages(listSites, { signal }));
