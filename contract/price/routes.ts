import { operationsRoutes } from '../operations.ts';
import type { Route } from '../route.ts';
import { electricityRoutes } from './electricity.ts';
import { eltariffRoutes } from './eltariff.ts';
import { legacyRoutes } from './legacy.ts';
import { tariffRoutesA, tariffRoutesB } from './tariffs.ts';
import { totalRoutes } from './total.ts';

export const electricityRoutesA = electricityRoutes('/price/electricity');
export const electricityRoutesB = electricityRoutes('/services/price/electricity');

/** Everything that the service serves wherever it is mounted. */
export const priceRoutes: readonly Route[] = [
  ...Object.values(electricityRoutesA),
  ...Object.values(tariffRoutesA),
  ...totalRoutes,
  ...legacyRoutes,
  ...eltariffRoutes,
  ...Object.values(electricityRoutesB),
  ...Object.values(tariffRoutesB),
];

/** Everything that it serves when it runs alone. */
export const priceServerRoutes: readonly Route[] = [...priceRoutes, ...operationsRoutes];
