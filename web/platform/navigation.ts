import type { IconName } from '../parts/icon.tsx';
import type { NavigationItem } from '../parts/shell.tsx';
import { texts } from '../parts/text.ts';
import { session } from './session.ts';
import { isSimulated } from './simulation.ts';
import { currentSiteId } from './site.ts';

const t = texts({
  integrations: 'Applications',
  map: 'Map',
  street: 'Simulation',
});

const item = (name: IconName & Parameters<typeof t>[0], to = `/app/${name}`): NavigationItem => ({
  label: t(name),
  icon: name,
  to,
});

/** Lists the pages that the person can open, those of the current site first. */
export function navigation(): { main: NavigationItem[]; later: NavigationItem[]; laterTitle: string } {
  const isIn = session.value.state === 'in';
  const site = isIn ? currentSiteId() : undefined;
  const ofSite = (['history', 'prices', 'control', 'devices'] as const).map((name) =>
    item(name, `/app/sites/${site}/${name}`),
  );
  return {
    main: site ? [item('now', `/app/sites/${site}`), ...ofSite] : [item('prices')],
    laterTitle: t('platform'),
    later: [
      ...(isIn ? [item('sites'), item('gateways'), item('organizations'), item('integrations')] : []),
      item('map'),
      ...(isIn ? [item('developer')] : []),
      ...(isIn && isSimulated.value ? [item('street')] : []),
      item('settings'),
    ],
  };
}
