import { operationsRoutes } from '../operations.ts';
import type { Route } from '../route.ts';
import { deviceRoutes } from './devices.ts';
import { gatewayRoutes } from './gateways.ts';
import { identityRoutes } from './identity.ts';
import { organizationRoutes } from './organizations.ts';
import { publicRoutes } from './public.ts';
import { siteRoutes } from './sites.ts';

/** Every operation of the cloud. */
export const cloudRoutes: readonly Route[] = [
  ...identityRoutes,
  ...organizationRoutes,
  ...siteRoutes,
  ...gatewayRoutes,
  ...deviceRoutes,
  ...publicRoutes,
  ...operationsRoutes,
];
