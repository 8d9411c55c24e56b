import { operationsRoutes } from '../operations.ts';
import type { Route } from '../route.ts';
import { controlRoutes } from './control.ts';
import { dataRoutes } from './data.ts';
import { deviceRoutes } from './devices.ts';
import { identityRoutes } from './identity.ts';
import { networkRoutes } from './network.ts';
import { planRoutes } from './plan.ts';
import { registerRoutes } from './registers.ts';
import { statusRoutes } from './status.ts';
import { systemRoutes } from './system.ts';

export const gatewayRoutes: readonly Route[] = [
  ...systemRoutes,
  ...statusRoutes,
  ...networkRoutes,
  ...deviceRoutes,
  ...dataRoutes,
  ...registerRoutes,
  ...controlRoutes,
  ...planRoutes,
  ...identityRoutes,
  ...operationsRoutes,
];
