import type { PageRoute } from '../parts/router.tsx';

/** Pages that do not require sign-in. */
export const publicPages: readonly PageRoute[] = [
  { path: '/app/map', load: () => import('./map/map-page.tsx') },
  { path: '/app/prices', load: () => import('./prices/prices-page.tsx') },
  { path: '/app/settings', load: () => import('./settings/settings-page.tsx') },
  { path: '/app/add-browser', load: () => import('./profile/add-browser-page.tsx') },
];

export const pages: readonly PageRoute[] = [
  ...publicPages,
  { path: '/', load: () => import('./sites/sites-page.tsx') },
  { path: '/app', load: () => import('./sites/sites-page.tsx') },
  { path: '/app/setup', load: () => import('./setup/setup-page.tsx') },
  { path: '/app/sites', load: () => import('./sites/sites-page.tsx') },
  { path: '/app/sites/:site', load: () => import('./now/now-page.tsx'), hasFirstTexts: true },
  { path: '/app/sites/:site/history', load: () => import('./history/history-page.tsx') },
  { path: '/app/sites/:site/bill', load: () => import('./bill/bill-page.tsx') },
  { path: '/app/sites/:site/contract', load: () => import('./contract/contract-page.tsx') },
  { path: '/app/sites/:site/what-if', load: () => import('./what-if/what-if-page.tsx') },
  { path: '/app/sites/:site/prices', load: () => import('./prices/prices-page.tsx') },
  { path: '/app/sites/:site/control', load: () => import('./control/control-page.tsx') },
  { path: '/app/sites/:site/plan', load: () => import('./plan/plan-page.tsx') },
  { path: '/app/sites/:site/devices', load: () => import('./devices/devices-page.tsx') },
  { path: '/app/sites/:site/devices/:device', load: () => import('./devices/device-page.tsx') },
  { path: '/app/sites/:site/alerts', load: () => import('./alerts/alerts-page.tsx') },
  { path: '/app/sites/:site/settings', load: () => import('./sites/site-settings-page.tsx') },
  { path: '/app/gateways', load: () => import('./gateways/gateways-page.tsx') },
  { path: '/app/gateways/claim', load: () => import('./gateways/claim-page.tsx') },
  { path: '/app/organizations', load: () => import('./organizations/organizations-page.tsx') },
  { path: '/app/organizations/:org', load: () => import('./organizations/organization-page.tsx') },
  { path: '/app/invitations/:secret', load: () => import('./organizations/invitation-page.tsx') },
  { path: '/app/integrations', load: () => import('./integrations/integrations-page.tsx') },
  { path: '/app/profile', load: () => import('./profile/profile-page.tsx') },
  { path: '/app/developer', load: () => import('./developer/developer-page.tsx') },
  { path: '/app/street', load: () => import('./street/street-page.tsx') },
];
