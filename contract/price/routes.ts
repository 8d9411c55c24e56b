import { operationsRoutes } from '../operations.ts';
import type { Route } from '../route.ts';
import { electricityRoutesAt } from './electricity.ts';
import { eltariffRoutes } from './eltariff.ts';
import { legacyRoutes } from './legacy.ts';
import { servicesTariffRoutes, tariffRoutes } from './tariffs.ts';
import { totalRoutes } from './total.ts';

export const electricityRoutes = electricityRoutesAt('/price/electricity');
export const servicesElectricityRoutes = electricityRoutesAt('/services/price/electricity');

/** Everything that the service serves wherever it is mounted. */
export const priceRoutes: readonly Route[] = [
  ...Object.values(electricityRoutes),
  ...Object.values(tariffRoutes),
  ...totalRoutes,
  ...legacyRoutes,
  ...eltariffRoutes,
  ...Object.values(servicesElectricityRoutes),
  ...Object.values(servicesTariffRoutes),
];

/** Everything that it serves when it runs alone. */
export const priceServerRoutes: readonly Route[] = [...priceRoutes, ...operationsRoutes];
