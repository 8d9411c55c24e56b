import type { FastifyInstance } from 'fastify';
import { eltariffRoutes as eltariffContract } from '#contract/price/eltariff.ts';
import { legacyRoutes as legacyContract } from '#contract/price/legacy.ts';
import {
  electricityRoutes as electricityContract,
  priceServerRoutes,
  servicesElectricityRoutes,
} from '#contract/price/routes.ts';
import { servicesTariffRoutes, tariffRoutes as tariffContract } from '#contract/price/tariffs.ts';
import { totalRoutes as totalContract } from '#contract/price/total.ts';
import type { Route } from '#contract/route.ts';
import type { Clock } from '#lib/clock.ts';
import { originsOf } from '#lib/config/shared-settings.ts';
import { letPagesCall } from '#lib/http/cross-origin.ts';
import { mountDocs } from '#lib/http/docs.ts';
import { createMount, type Door } from '#lib/http/mount.ts';
import { createServer } from '#lib/http/server.ts';
import type { Logger } from '#lib/log.ts';
import { createMetrics } from '#lib/metrics.ts';
import type { PriceConfig } from './config.ts';
import { createPriceDoor } from './door.ts';
import { electricityRoutes } from './electricity/routes.ts';
import { legacyRoutes } from './legacy/routes.ts';
import type { PriceService } from './open-service.ts';
import { operationsRoutes } from './operations.ts';
import { refuseValues } from './refuse-values.ts';
import { eltariffRoutes } from './tariffs/eltariff-routes.ts';
import { tariffRoutes } from './tariffs/routes.ts';
import { takeLoadCurves } from './total/bill-bodies.ts';
import { billRoutes, totalRoutes } from './total/routes.ts';
import { createPriceOf } from './total/spot-share.ts';

/** Serves all forms of the interface and their pages on a server, alone or beside other things. */
export function mountPrices<Extra extends object>(
  app: FastifyInstance,
  door: Door<Extra>,
  service: PriceService,
  version: string,
): void {
  const { prices, tariffs, places, sources, clock, locate } = service;
  const totals = { prices, book: tariffs.book, locate, clock };

  app.register(async (scope) => {
    refuseValues(scope);
    scope.addHook('onRequest', (_request, _reply, done) => {
      if (tariffs.scannedAt() > 0) done();
      else service.readTariffs().then(() => done(), done);
    });
    const mount = createMount(scope, door);
    electricityRoutes(mount, electricityContract, prices);
    electricityRoutes(mount, servicesElectricityRoutes, prices);
    const tariffDeps = { tariffs, places, clock, priceOf: createPriceOf(prices) };
    tariffRoutes(mount, tariffContract, tariffDeps);
    tariffRoutes(mount, servicesTariffRoutes, tariffDeps);
    eltariffRoutes(mount, { tariffs, clock });
    legacyRoutes(mount, { prices, sources, tariffs, clock });
    totalRoutes(mount, totals);
    scope.register(async (inner) => {
      takeLoadCurves(inner);
      billRoutes(createMount(inner, door), totals);
    });
  });

  const pages: [title: string, folder: string, docs: string, routes: readonly Route[]][] = [
    ['Electricity prices', '/price/electricity', 'docs', Object.values(electricityContract)],
    ['Grid tariffs', '/price/tariffs', 'docs', [...Object.values(tariffContract), ...eltariffContract]],
    ['Prices', '/price', 'api', [...totalContract, ...legacyContract]],
  ];
  for (const [title, folder, docs, routes] of pages) {
    const described = { title, version, description: `${title} as this service tells them.`, routes };
    const paths = { openapi: `${folder}/openapi.json`, docs: `${folder}/${docs}`, redoc: `${folder}/redoc` };
    mountDocs(app, described, paths);
  }
}

export type PriceServerDeps = { service: PriceService; clock: Clock; log: Logger; version: string };

/** A server of its own for the price service. */
export function createPriceServer(
  config: PriceConfig,
  { service, clock, log, version }: PriceServerDeps,
): FastifyInstance {
  const app = createServer({
    log,
    apiVersion: '1',
    ...(config.TRUST_PROXY && { trustProxy: config.TRUST_PROXY }),
  });
  letPagesCall(app, originsOf(config));
  const metrics = createMetrics();
  metrics.watch(app);
  const door = createPriceDoor(config.RATE_PRICES, clock);
  mountPrices(app, door, service, version);
  operationsRoutes(createMount(app, door), { registry: metrics.registry, service, version });
  mountDocs(app, {
    title: 'Ohmstead prices',
    version,
    description: 'Spot prices of electricity, grid tariffs, the total price of a kilowatt-hour, and invoices.',
    routes: priceServerRoutes,
  });
  return app;
}
