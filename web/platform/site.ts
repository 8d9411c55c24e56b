import { signal } from '@preact/signals';
import { getSite, listSites, type Site, type SiteDetails } from '#contract/cloud/sites.ts';
import { keep, kept } from '../parts/keep.ts';
import { type Load, useLoad } from '../parts/load.tsx';
import { place } from '../parts/router.tsx';
import { api } from './session.ts';

/** The site that the address names, else the one looked at last. */
export function currentSite(): string | undefined {
  return /^\/app\/sites\/([^/]+)/.exec(place.value.pathname)?.[1] ?? lastSite.value;
}

const lastSite = signal(kept('site'));

export function rememberSite(id: string | undefined): void {
  if (lastSite.peek() === id) return;
  keep('site', id);
  lastSite.value = id;
}

/** One site with its devices. */
export const useSite = (id: string): Load<SiteDetails> =>
  useLoad(
    async (signal) => {
      const site = await api().call(getSite, { params: { site_id: id }, signal });
      rememberSite(id);
      return site;
    },
    [id],
  );

export async function allSites(): Promise<Site[]> {
  const sites: Site[] = [];
  for await (const site of api().pages(listSites)) sites.push(site);
  return sites;
}
