import type { FastifyError, FastifyInstance } from 'fastify';
import { getHealth, getMetrics, getReady } from '#contract/operations.ts';
import { carbonRoutes as carbonContract } from '#contract/price/carbon.ts';
import { eltariffRoutes as eltariffContract } from '#contract/price/eltariff.ts';
import { legacyRoutes as legacyContract } from '#contract/price/legacy.ts';
import { getMarginalPrice } from '#contract/price/marginal.ts';
import * as contract from '#contract/price/routes.ts';
import { servicesTariffRoutes, tariffRoutes as tariffContract } from '#contract/price/tariffs.ts';
import * as total from '#contract/price/total.ts';
import type { Route } from '#contract/route.ts';
import type { Clock } from '#lib/clock.ts';
import { originsOf } from '#lib/config/shared-settings.ts';
import { allowOrigins } from '#lib/http/cross-origin.ts';
import { mountDocs } from '#lib/http/docs.ts';
import { Answer, createMount, type Door, type Mount, PreSerialized } from '#lib/http/mount.ts';
import { validationProblem } from '#lib/http/problem.ts';
import { createServer } from '#lib/http/server.ts';
import type { Logger } from '#lib/log.ts';
import { gauge, type Registry } from '#lib/metrics/registry.ts';
import { createMetrics } from '#lib/metrics.ts';
import { addressKey, createBudget } from '#lib/rate-limit.ts';
import { carbonRoutes } from './carbon/routes.ts';
import type { PriceConfig } from './config.ts';
import { electricityRoutes } from './electricity/routes.ts';
import { legacyRoutes } from './legacy/routes.ts';
import type { PriceService } from './open-service.ts';
import { eltariffRoutes } from './tariffs/eltariff-routes.ts';
import { tariffRoutes } from './tariffs/routes.ts';
import { makeBill } from './total/bill.ts';
import { cheapest } from './total/cheapest.ts';
import { acceptLoadCurves } from './total/load-curve.ts';
import { marginalPrice } from './total/marginal.ts';
import { createPriceOf } from './total/spot.ts';
import { totalPrice } from './total/total-price.ts';

/** Mounts every route of the price service and its documentation pages on a server. */
export function mountPrices<Extra extends object>(
  app: FastifyInstance,
  door: Door<Extra>,
  service: PriceService,
  version: string,
): void {
  const { prices, tariffs, places, sources, clock } = service;
  const totals = { prices, book: tariffs.book, places, clock };

  app.register(async (scope) => {
    answerInvalidValuesWith422(scope);
    scope.addHook('onRequest', (_request, _reply, done) => {
      if (tariffs.scannedAt() > 0) done();
      else service.readTariffs().then(() => done(), done);
    });
    const mount = createMount(scope, door);
    electricityRoutes(mount, contract.electricityRoutes, prices);
    electricityRoutes(mount, contract.servicesElectricityRoutes, prices);
    const tariffDeps = { tariffs, places, clock, priceOf: createPriceOf(prices) };
    tariffRoutes(mount, tariffContract, tariffDeps);
    tariffRoutes(mount, servicesTariffRoutes, tariffDeps);
    eltariffRoutes(mount, { tariffs, clock });
    carbonRoutes(mount, service);
    legacyRoutes(mount, { prices, sources, tariffs, clock });
    mount(total.getTotalPrice, async ({ query }) => {
      return new PreSerialized<total.TotalPrice>({ text: await totalPrice(query, totals) });
    });
    mount(getMarginalPrice, ({ body }) => marginalPrice(body, totals));
    mount(total.getCheapest, ({ query }) => cheapest(query, totals));
    scope.register(async (inner) => {
      acceptLoadCurves(inner);
      createMount(inner, door)(total.makeBill, ({ query, body }) => makeBill({ ...query, ...body }, totals));
    });
  });

  const pages: [title: string, folder: string, docs: string, routes: readonly Route[]][] = [
    ['Electricity prices', '/price/electricity', 'docs', Object.values(contract.electricityRoutes)],
    ['Grid tariffs', '/price/tariffs', 'docs', [...Object.values(tariffContract), ...eltariffContract]],
    ['Prices', '/price', 'api', [...total.totalRoutes, getMarginalPrice, ...carbonContract, ...legacyContract]],
  ];
  for (const [title, folder, docs, routes] of pages) {
    const described = { title, version, description: `${title} of this service.`, routes };
    const paths = { openapi: `${folder}/openapi.json`, docs: `${folder}/${docs}`, redoc: `${folder}/redoc` };
    mountDocs(app, described, paths);
  }
}

export type PriceServerDeps = { service: PriceService; clock: Clock; log: Logger; version: string };

export function createPriceServer(
  config: PriceConfig,
  { service, clock, log, version }: PriceServerDeps,
): FastifyInstance {
  const { TRUST_PROXY: trustProxy } = config;
  const app = createServer({ log, apiVersion: '1', ...(trustProxy && { trustProxy }) });
  allowOrigins(app, originsOf(config));
  const metrics = createMetrics();
  metrics.watch(app);
  const door = createPriceDoor(config.RATE_PRICES, clock);
  mountPrices(app, door, service, version);
  operationsRoutes(createMount(app, door), metrics.registry, service, version);
  mountDocs(app, {
    title: 'Ohmstead prices',
    version,
    description: 'Electricity spot prices, grid tariffs, the total price per kilowatt-hour, and bills.',
    routes: contract.priceServerRoutes,
  });
  return app;
}

/** Lets every caller in, up to a number of requests per address. */
function createPriceDoor(limit: number, clock: Clock): Door<object> {
  const spend = createBudget('ordinary', limit, clock);
  return {
    unknownFields: 'refuse',
    admit({ access, method, path }) {
      if (access !== 'public') throw new Error(`${method} ${path}: the price service has only public routes.`);
      return async (request, reply) => spend(addressKey(request.ip), reply);
    },
    serve: (_route, _request, handle) => handle({}),
  };
}

/** Answers invalid values with 422 in this scope; unknown fields stay 400. */
function answerInvalidValuesWith422(scope: FastifyInstance): void {
  scope.setErrorHandler((error: FastifyError) => {
    throw isAboutValues(error) ? validationProblem('unprocessable', error) : error; // passed on to the server's error handler
  });
}

const isAboutValues = ({ validation }: FastifyError): boolean =>
  validation?.every(({ keyword }) => keyword !== 'additionalProperties') ?? false;

function operationsRoutes(mount: Mount<object>, registry: Registry, service: PriceService, version: string): void {
  const { prices, sources, tariffs, updates, clock } = service;
  const startedAt = clock.now();

  registry.add(
    gauge('price_source_working', '1 when the last request to the source succeeded', () =>
      prices.status().map(({ id, isWorking }) => ({ labels: { source: id }, value: Number(isWorking) })),
    ),
    gauge('price_tariff_files_refused', 'tariff files that cannot be read', () => tariffs.errors().length),
    gauge('price_tariff_update_failures', 'failures of the last update of tariffs; absent if updates are off', () =>
      updates ? (updates.state().failures?.length ?? 0) : [],
    ),
  );

  mount(getHealth, () => ({
    status: 'healthy' as const,
    version,
    uptime_seconds: Math.floor((clock.now() - startedAt) / 1000),
  }));

  mount(getReady, () => {
    const reasons = [
      ...(tariffs.scannedAt() > 0 ? [] : ['The tariffs have not been loaded yet.']),
      ...(sources.length > 0 ? [] : ['No price source is configured.']),
    ];
    if (reasons.length === 0) return { status: 'ready' as const, reasons };
    return new Answer(503, { status: 'unavailable' as const, reasons }, { 'retry-after': '2' });
  });

  mount(getMetrics, () => registry.text());
}
