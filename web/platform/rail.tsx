import { Icon, type IconName } from '../parts/icon.tsx';
import { Link } from '../parts/router.tsx';
import { texts } from '../parts/text.ts';
import { session } from './session.ts';
import { isSimulated } from './simulation.ts';
import { currentSiteId } from './site.ts';

const t = texts({
  pages: ['Main menu', 'Huvudmeny'],
  now: ['Now', 'Nu'],
  history: ['History', 'Historik'],
  prices: ['Prices', 'Priser'],
  control: ['Control', 'Styrning'],
  devices: ['Devices', 'Enheter'],
  sites: ['Sites', 'Anläggningar'],
  gateways: ['Gateways', 'Gateways'],
  organizations: ['Organizations', 'Organisationer'],
  integrations: ['Applications', 'Appar'],
  map: ['Map', 'Karta'],
  developer: ['Developer', 'Utvecklare'],
  street: ['Simulation', 'Simulering'],
  settings: ['Settings', 'Inställningar'],
  platform: ['Platform', 'Plattform'],
});

type MenuItem = { name: IconName & Parameters<typeof t>[0]; to: string };

/** On a phone the primary items are at the bottom, the others in the head's menu. */
export function menuItems(): { first: MenuItem[]; later: MenuItem[] } {
  const isIn = session.value.state === 'in';
  const site = isIn ? currentSiteId() : undefined;
  const ofSite: MenuItem[] = site
    ? [
        { name: 'now', to: `/app/sites/${site}` },
        { name: 'history', to: `/app/sites/${site}/history` },
        { name: 'prices', to: `/app/sites/${site}/prices` },
        { name: 'control', to: `/app/sites/${site}/control` },
        { name: 'devices', to: `/app/sites/${site}/devices` },
      ]
    : [{ name: 'prices', to: '/app/prices' }];
  const forMembers: MenuItem[] = [
    { name: 'sites', to: '/app/sites' },
    { name: 'gateways', to: '/app/gateways' },
    { name: 'organizations', to: '/app/organizations' },
    { name: 'integrations', to: '/app/integrations' },
  ];
  return {
    first: ofSite,
    later: [
      ...(isIn ? forMembers : []),
      { name: 'map', to: '/app/map' },
      ...(isIn ? [{ name: 'developer', to: '/app/developer' } as const] : []),
      ...(isIn && isSimulated.value ? [{ name: 'street', to: '/app/street' } as const] : []),
      { name: 'settings', to: '/app/settings' },
    ],
  };
}

export const MenuLink = ({ name, to }: MenuItem) => (
  <Link to={to}>
    <Icon name={name} />
    {t(name)}
  </Link>
);

export function Rail() {
  const { first, later } = menuItems();
  return (
    <nav class="rail" aria-label={t('pages')}>
      <ul>
        {first.map((item) => (
          <li key={item.name}>
            <MenuLink {...item} />
          </li>
        ))}
        <li class="section later" aria-hidden="true">
          {t('platform')}
        </li>
        {later.map((item) => (
          <li key={item.name} class="later">
            <MenuLink {...item} />
          </li>
        ))}
      </ul>
    </nav>
  );
}
