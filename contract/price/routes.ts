import { operationsRoutes } from '../operations.ts';
import type { Route } from '../route.ts';
import { carbonRoutes } from './carbon.ts';
import { electricityRoutesAt } from './electricity.ts';
import { eltariffRoutes } from './eltariff.ts';
import { legacyRoutes } from './legacy.ts';
import { getMarginalPrice } from './marginal.ts';
import { servicesTariffRoutes, tariffRoutes } from './tariffs.ts';
import { totalRoutes } from './total.ts';

export const electricityRoutes = electricityRoutesAt('/price/electricity');
export const servicesElectricityRoutes = electricityRoutesAt('/services/price/electricity');

/** Routes of the price service, also when mounted in the cloud. */
export const priceRoutes: readonly Route[] = [
  ...Object.values(electricityRoutes),
  ...Object.values(tariffRoutes),
  ...totalRoutes,
  getMarginalPrice,
  ...carbonRoutes,
  ...legacyRoutes,
  ...eltariffRoutes,
  ...Object.values(servicesElectricityRoutes),
  ...Object.values(servicesTariffRoutes),
];

export const priceServerRoutes: readonly Route[] = [...priceRoutes, ...operationsRoutes];
