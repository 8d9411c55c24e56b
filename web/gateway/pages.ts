import type { PageRoute } from '../parts/router.tsx';

export const pages: readonly PageRoute[] = [
  { path: '/', load: () => import('./now/now-page.tsx') },
  { path: '/app', load: () => import('./now/now-page.tsx') },
  { path: '/app/devices', load: () => import('./devices/devices-page.tsx') },
  { path: '/app/devices/:sn', load: () => import('./device/device-page.tsx') },
  { path: '/app/devices/:sn/:tab', load: () => import('./device/device-page.tsx') },
  { path: '/app/add', load: () => import('./add/add-page.tsx') },
  { path: '/app/control', load: () => import('./control/control-page.tsx') },
  { path: '/app/platform', load: () => import('./platform/platform-page.tsx') },
  { path: '/app/network', load: () => import('./network/network-page.tsx') },
  { path: '/app/system', load: () => import('./system/system-page.tsx') },
  { path: '/app/log', load: () => import('./log/log-page.tsx') },
];
