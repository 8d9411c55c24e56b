import { Empty } from '../parts/notice.tsx';
import { pages } from './pages.ts';
import { RestartNotice } from './restart.tsx';
import { TokenDialog } from './token-dialog.tsx';
import './gateway.css';
import { getSystem } from '#contract/gateway/system.ts';
import { Icon, type IconName } from '../parts/icon.tsx';
import { useLoad } from '../parts/load.tsx';
import { Link, Pages } from '../parts/router.tsx';
import { HeadMenu, Shell } from '../parts/shell.tsx';
import { texts } from '../parts/text.ts';
import { gateway } from './gateway-api.ts';

const navigationTexts = texts({
  now: ['Now', 'Nu'],
  devices: ['Devices', 'Enheter'],
  control: ['Control', 'Styrning'],
  platform: ['Platform', 'Plattform'],
  network: ['Network', 'Nätverk'],
  system: ['System', 'System'],
  log: ['Log', 'Logg'],
});

type NavigationItem = { name: Parameters<typeof navigationTexts>[0]; icon: IconName; to: string };

// On a phone these are at the bottom of the screen.
const mainItems: readonly NavigationItem[] = [
  { name: 'now', icon: 'now', to: '/' },
  { name: 'devices', icon: 'devices', to: '/app/devices' },
  { name: 'control', icon: 'control', to: '/app/control' },
  { name: 'platform', icon: 'claim', to: '/app/platform' },
  { name: 'system', icon: 'settings', to: '/app/system' },
];

// On a phone these are in the menu of the header.
const menuItems: readonly NavigationItem[] = [
  { name: 'network', icon: 'network', to: '/app/network' },
  { name: 'log', icon: 'log', to: '/app/log' },
];

const NavigationLink = ({ name, icon, to }: NavigationItem) => (
  <Link to={to}>
    <Icon name={icon} />
    {navigationTexts(name)}
  </Link>
);

const t = texts({
  pages: ['Pages', 'Sidor'],
  lost: ['Page not found', 'Sidan finns inte'],
  home: ['Go to the start page', 'Till startsidan'],
});

export function App() {
  return (
    <>
      <Shell head={<Header />} rail={<Rail />}>
        <RestartNotice />
        <Pages
          routes={pages}
          otherwise={
            <Empty title={t('lost')}>
              <Link to="/">{t('home')}</Link>
            </Empty>
          }
        />
      </Shell>
      <TokenDialog />
    </>
  );
}

function Rail() {
  return (
    <nav class="rail" aria-label={t('pages')}>
      <ul>
        {mainItems.map((each) => (
          <li key={each.name}>
            <NavigationLink {...each} />
          </li>
        ))}
        {menuItems.map((each) => (
          <li key={each.name} class="later">
            <NavigationLink {...each} />
          </li>
        ))}
      </ul>
    </nav>
  );
}

const headTexts = texts({
  start: ['Ohmstead gateway, start page', 'Ohmstead gateway, startsidan'],
  serial: ['Serial number of the gateway', 'Gatewayens serienummer'],
});

function Header() {
  const system = useLoad((signal) => gateway.call(getSystem, { signal }), []);
  const info = system.value?.gateway_info;
  return (
    <header class="head">
      <Link to="/" class="brand" label={headTexts('start')}>
        <img src="/icon.svg" alt="" width="28" height="28" />
        Ohmstead gateway
      </Link>
      {info && (
        <>
          <span class="tag">{info.name}</span>
          <span class="serial soft" title={headTexts('serial')}>
            {info.deviceId}
          </span>
        </>
      )}
      <HeadMenu>
        {menuItems.map((each) => (
          <li key={each.name}>
            <NavigationLink {...each} />
          </li>
        ))}
      </HeadMenu>
    </header>
  );
}
