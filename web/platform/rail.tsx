import { Icon, type IconName } from '../parts/icon.tsx';
import { Link } from '../parts/router.tsx';
import { texts } from '../parts/text.ts';
import { session } from './session.ts';
import { isSimulated } from './simulation.ts';
import { currentSite } from './site.ts';

const t = texts({
  en: {
    pages: 'Pages',
    now: 'Now',
    history: 'History',
    prices: 'Prices',
    control: 'Control',
    devices: 'Devices',
    sites: 'Sites',
    gateways: 'Gateways',
    organizations: 'People',
    integrations: 'Applications',
    map: 'Map',
    developer: 'Developer',
    street: 'Street',
    settings: 'Settings',
    platform: 'Platform',
  },
  sv: {
    pages: 'Sidor',
    now: 'Nu',
    history: 'Historik',
    prices: 'Priser',
    control: 'Styrning',
    devices: 'Enheter',
    sites: 'Anläggningar',
    gateways: 'Gateways',
    organizations: 'Personer',
    integrations: 'Appar',
    map: 'Karta',
    developer: 'Utvecklare',
    street: 'Gatan',
    settings: 'Inställningar',
    platform: 'Plattform',
  },
});

type Item = { name: IconName & Parameters<typeof t>[0]; to: string };

/** Where one can go. On a phone the first five stand at the bottom, the others in the menu of the head. */
export function placesToGo(): { first: Item[]; later: Item[] } {
  const isIn = session.value.state === 'in';
  const site = isIn ? currentSite() : undefined;
  const ofSite: Item[] = site
    ? [
        { name: 'now', to: `/app/sites/${site}` },
        { name: 'history', to: `/app/sites/${site}/history` },
        { name: 'prices', to: `/app/sites/${site}/prices` },
        { name: 'control', to: `/app/sites/${site}/control` },
        { name: 'devices', to: `/app/sites/${site}/devices` },
      ]
    : [{ name: 'prices', to: '/app/prices' }];
  const forMembers: Item[] = [
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

export const ItemLink = ({ name, to }: Item) => (
  <Link to={to}>
    <Icon name={name} />
    {t(name)}
  </Link>
);

export function Rail() {
  const { first, later } = placesToGo();
  return (
    <nav class="rail" aria-label={t('pages')}>
      <ul>
        {first.map((item) => (
          <li key={item.name}>
            <ItemLink {...item} />
          </li>
        ))}
        <li class="section later" aria-hidden="true">
          {t('platform')}
        </li>
        {later.map((item) => (
          <li key={item.name} class="later">
            <ItemLink {...item} />
          </li>
        ))}
      </ul>
    </nav>
  );
}
