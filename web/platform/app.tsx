import { Loading } from '../parts/layout.tsx';
import { findPage, type PageRoute, Pages, pageUrl } from '../parts/router.tsx';
import { Shell } from '../parts/shell.tsx';
import { texts } from '../parts/text.ts';
import { navigation } from './navigation.ts';
import { session } from './session.ts';
import { SignIn } from './sign-in/sign-in.tsx';
import { isSimulated } from './simulation.ts';

/** Pages that do not require sign-in. */
const publicPages: readonly PageRoute[] = [
  { path: '/app/map', load: () => import('./map/map-page.tsx') },
  { path: '/app/prices', load: () => import('./prices/prices-page.tsx') },
  { path: '/app/settings', load: () => import('./settings/settings-page.tsx') },
];

const pages: readonly PageRoute[] = [
  ...publicPages,
  { path: '/', load: () => import('./sites/sites-page.tsx') },
  { path: '/app', load: () => import('./sites/sites-page.tsx') },
  { path: '/app/sites', load: () => import('./sites/sites-page.tsx') },
  { path: '/app/sites/:site', load: () => import('./now/now-page.tsx') },
  { path: '/app/sites/:site/history', load: () => import('./history/history-page.tsx') },
  { path: '/app/sites/:site/prices', load: () => import('./prices/prices-page.tsx') },
  { path: '/app/sites/:site/control', load: () => import('./control/control-page.tsx') },
  { path: '/app/sites/:site/devices', load: () => import('./devices/devices-page.tsx') },
  { path: '/app/sites/:site/devices/:device', load: () => import('./devices/device-page.tsx') },
  { path: '/app/sites/:site/settings', load: () => import('./sites/site-settings-page.tsx') },
  { path: '/app/gateways', load: () => import('./gateways/gateways-page.tsx') },
  { path: '/app/gateways/claim', load: () => import('./gateways/claim-page.tsx') },
  { path: '/app/organizations', load: () => import('./organizations/organizations-page.tsx') },
  { path: '/app/organizations/:org', load: () => import('./organizations/organization-page.tsx') },
  { path: '/app/invitations/:secret', load: () => import('./organizations/invitation-page.tsx') },
  { path: '/app/integrations', load: () => import('./integrations/integrations-page.tsx') },
  { path: '/app/developer', load: () => import('./developer/developer-page.tsx') },
  { path: '/app/street', load: () => import('./street/street-page.tsx') },
];

const t = texts({
  simulated: ['Simulated data', 'Simulerade data'],
  start: ['Ohmstead, go to sites', 'Ohmstead, gå till anläggningar'],
});

function Content() {
  const { state } = session.value;
  const isPublic = findPage(publicPages, pageUrl.value.pathname) !== undefined;
  if (!isPublic && state === 'opening') return <Loading />;
  if (!isPublic && state === 'out') return <SignIn />;
  return <Pages routes={pages} home="/app/sites" />;
}

export const App = () => (
  <Shell
    name="Ohmstead"
    home={{ to: '/app/sites', label: t('start') }}
    beside={isSimulated.value && <span class="tag warning">{t('simulated')}</span>}
    {...navigation()}
  >
    <Content />
  </Shell>
);
