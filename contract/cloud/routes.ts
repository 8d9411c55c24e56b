import { operationsRoutes } from '../operations.ts';
import type { Route } from '../route.ts';
import { alertRoutes } from './alerts.ts';
import { billRoutes } from './bill.ts';
import { browserRoutes } from './browsers.ts';
import { carbonRoutes } from './carbon.ts';
import { commandRoutes } from './commands.ts';
import { contractRoutes } from './contract.ts';
import { deviceRoutes } from './devices.ts';
import { energyRoutes } from './energy.ts';
import { gatewayRoutes } from './gateways.ts';
import { identityRoutes } from './identity.ts';
import { internalRoutes } from './internal.ts';
import { invitationRoutes } from './invitations.ts';
import { manageRoutes } from './manage.ts';
import { nearbyRoutes } from './nearby.ts';
import { oauthRoutes } from './oauth.ts';
import { orderRoutes } from './orders.ts';
import { organizationRoutes, usageRoutes } from './organizations.ts';
import { planRoutes } from './plans.ts';
import { publicRoutes } from './public.ts';
import { siteRoutes } from './sites.ts';
import { telemetryRoutes } from './telemetry.ts';

export const cloudRoutes: readonly Route[] = [
  ...identityRoutes,
  ...browserRoutes,
  ...organizationRoutes,
  ...invitationRoutes,
  ...usageRoutes,
  ...oauthRoutes,
  ...siteRoutes,
  ...contractRoutes,
  ...billRoutes,
  ...alertRoutes,
  ...planRoutes,
  ...gatewayRoutes,
  ...manageRoutes,
  ...nearbyRoutes,
  ...deviceRoutes,
  ...telemetryRoutes,
  ...energyRoutes,
  ...carbonRoutes,
  ...commandRoutes,
  ...orderRoutes,
  ...publicRoutes,
  ...internalRoutes,
  ...operationsRoutes,
];
