import type { IconName } from '../parts/icon.tsx';
import { pageUrl } from '../parts/router.tsx';
import type { NavigationItem } from '../parts/shell.tsx';
import { texts } from '../parts/text.ts';
import { session } from './session.ts';
import { currentSiteId } from './site.ts';

const t = texts({
  map: 'Map',
});

// The entries of a site, and the ends of the addresses below it on which each is marked as current.
const entriesOfSite = [
  { name: 'home', icon: 'house', end: '', pages: /^$/ },
  { name: 'energy', icon: 'history', end: '/history', pages: /^\/(history|bill|contract|what-if)$/ },
  { name: 'prices', icon: 'prices', end: '/prices', pages: /^\/prices$/ },
  { name: 'control', icon: 'control', end: '/control', pages: /^\/(control|plan)$/ },
  { name: 'devices', icon: 'devices', end: '/devices', pages: /^\/devices(\/|$)/ },
] as const;

/** Returns the part of the address after the site, or undefined on a page of no site. */
const endOfAddress = (): string | undefined => /^\/app\/sites\/[^/]+(.*?)\/?$/.exec(pageUrl.value.pathname)?.[1];

/** Lists the pages that the person can open from everywhere: those of the current site, and the settings. */
export function navigation(): { main: NavigationItem[]; later: NavigationItem[] } {
  const isIn = session.value.state === 'in';
  const site = isIn ? currentSiteId() : undefined;
  const end = endOfAddress();
  const current = end !== undefined && entriesOfSite.find(({ pages }) => pages.test(end));
  const ofSite = entriesOfSite.map(({ name, icon, end }) => ({
    label: t(name),
    icon,
    to: `/app/sites/${site}${end}`,
    isCurrent: current !== false && current?.name === name,
  }));
  const page = (name: IconName & Parameters<typeof t>[0]): NavigationItem => ({
    label: t(name),
    icon: name,
    to: `/app/${name}`,
  });
  const isSettings = settingsPages.test(pageUrl.value.pathname);
  return {
    main: site ? ofSite : [...(isIn ? [page('sites')] : []), page('prices'), ...(isIn ? [] : [page('map')])],
    later: [{ ...page('settings'), ...(isIn && { isCurrent: isSettings }) }],
  };
}

/** The pages behind the entry Settings. */
const settingsPages =
  /^\/app\/(settings|profile|gateways|organizations|integrations|developer|map|street)(\/|$)|^\/app\/sites\/[^/]+\/(settings|alerts)$/;

/** Returns the address of the same page of another site; of a device, that of its list. */
export const samePageOf = (id: string): string => {
  const end = /^\/\w+/.exec(endOfAddress() ?? '')?.[0] ?? '';
  return `/app/sites/${encodeURIComponent(id)}${end}`;
};
