import { Icon, type IconName } from '../parts/icon.tsx';
import { Link } from '../parts/router.tsx';
import { texts } from '../parts/text.ts';

const t = texts({
  en: {
    now: 'Now',
    devices: 'Devices',
    control: 'Control',
    platform: 'Platform',
    network: 'Network',
    system: 'System',
    log: 'Log',
  },
  sv: {
    now: 'Nu',
    devices: 'Enheter',
    control: 'Styrning',
    platform: 'Plattform',
    network: 'Nätverk',
    system: 'System',
    log: 'Logg',
  },
});

type Place = { name: Parameters<typeof t>[0]; icon: IconName; to: string };

/** On a phone these stand at the bottom. */
export const firstPlaces: readonly Place[] = [
  { name: 'now', icon: 'now', to: '/' },
  { name: 'devices', icon: 'devices', to: '/app/devices' },
  { name: 'control', icon: 'control', to: '/app/control' },
  { name: 'platform', icon: 'claim', to: '/app/platform' },
  { name: 'system', icon: 'settings', to: '/app/system' },
];

/** On a phone these are in the menu of the head. */
export const laterPlaces: readonly Place[] = [
  { name: 'network', icon: 'network', to: '/app/network' },
  { name: 'log', icon: 'log', to: '/app/log' },
];

export const PlaceLink = ({ name, icon, to }: Place) => (
  <Link to={to}>
    <Icon name={icon} />
    {t(name)}
  </Link>
);
