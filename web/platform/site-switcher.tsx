import { getSite, listSites, type Site } from '#contract/cloud/sites.ts';
import { useLoad } from '../parts/load.tsx';
import { Link, pageUrl } from '../parts/router.tsx';
import { Menu } from '../parts/shell.tsx';
import { texts } from '../parts/text.ts';
import { samePageOf } from './navigation.ts';
import { api } from './session.ts';
import { currentSiteId } from './site.ts';

const t = texts({
  switch: 'Switch site',
  choose: 'Choose a site',
  all: 'All sites',
});

const mostListed = 30; // more are found on the page of all sites

/** Lists the first sites, and the current one with them. */
async function loadSites(current: string | undefined, signal: AbortSignal): Promise<Site[]> {
  const sites: Site[] = [];
  for await (const site of api().pages(listSites, { query: { limit: mostListed }, signal })) {
    if (sites.push(site) === mostListed) break;
  }
  if (current === undefined || sites.some(({ id }) => id === current)) return sites;
  const own = await api()
    .call(getSite, { params: { site_id: current }, signal })
    .catch(() => undefined); // the page itself says why
  return own ? [own, ...sites] : sites;
}

/** A menu of the person's sites, which opens the same page of another one. Hidden from a person with a single site. */
export function SiteSwitcher() {
  const current = currentSiteId();
  const isRenaming = pageUrl.value.pathname.endsWith('/settings');
  const { value: sites = [] } = useLoad((signal) => loadSites(current, signal), [api(), current], isRenaming);
  if (sites.length < 2) return null;
  const name = sites.find(({ id }) => id === current)?.name ?? t('choose');
  return (
    <Menu class="sites-menu" label={`${t('switch')}: ${name}`} button={<span>{name}</span>}>
      {sites.map((site) => (
        <li key={site.id}>
          <Link to={samePageOf(site.id)} isCurrent={site.id === current}>
            {site.name}
          </Link>
        </li>
      ))}
      <li>
        <Link to="/app/sites">{t('all')}</Link>
      </li>
    </Menu>
  );
}
