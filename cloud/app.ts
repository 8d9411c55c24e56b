import { randomBytes, randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { cloudRoutes } from '#contract/cloud/routes.ts';
import { openApi } from '#contract/openapi.ts';
import type { Clock } from '#lib/clock.ts';
import { mountDocs } from '#lib/http/docs.ts';
import { createMount } from '#lib/http/mount.ts';
import { createServer } from '#lib/http/server.ts';
import type { Logger } from '#lib/log.ts';
import { createMetrics } from '#lib/metrics.ts';
import { createBudgets } from './access/budgets.ts';
import { createCloudDoor } from './access/door.ts';
import type { CloudConfig } from './config.ts';
import { deviceRoutes } from './devices/routes.ts';
import { gatewayRoutes } from './gateways/routes.ts';
import { createChallenges } from './identity/challenge.ts';
import { openKeyRing } from './identity/key-ring.ts';
import { identityRoutes } from './identity/routes.ts';
import { createSessions } from './identity/sessions.ts';
import { createUpkeep, type Upkeep } from './identity/upkeep.ts';
import { operationsRoutes } from './operations/routes.ts';
import { organizationRoutes } from './organizations/routes.ts';
import { publicRoutes } from './public/routes.ts';
import { siteRoutes } from './sites/routes.ts';
import { ensureSetting } from './store/settings.ts';
import type { Store } from './store/store.ts';

export type CloudDeps = { store: Store; clock: Clock; log: Logger; version: string; baseUrl(): string };

/** The platform, wired and ready to listen. */
export async function createCloud(
  config: CloudConfig,
  { store, clock, log, version, baseUrl }: CloudDeps,
): Promise<{ app: FastifyInstance; upkeep: Upkeep }> {
  const deploymentId = await ensureSetting(store, 'deployment_id', () => `urn:ohmstead:${randomUUID()}`);
  const secret = await ensureSetting(store, 'challenge_secret', () => randomBytes(32).toString('base64url'));
  const tokenLifeMs = config.TOKEN_HOURS * 3_600_000;
  const keys = await openKeyRing(store, { clock, tokenLifeMs });
  const sessions = createSessions({ store, keys, clock, deploymentId, tokenLifeMs });
  const challenges = createChallenges({ baseUrl, secret: Buffer.from(secret, 'base64url') });
  const metrics = createMetrics();

  const app = createServer({ log, apiVersion: '1', ...(config.TRUST_PROXY && { trustProxy: config.TRUST_PROXY }) });
  app.decorateRequest('caller', null);
  metrics.watch(app);
  const mount = createMount(app, createCloudDoor({ store, sessions, clock, spend: createBudgets(config, clock) }));
  identityRoutes(mount, { challenges, sessions, keys });
  organizationRoutes(mount);
  siteRoutes(mount);
  gatewayRoutes(mount, {
    mode: config.GATEWAY_TRUST,
    selfProvingPrefixes: config.SELF_PROVING_PREFIXES.split(',').filter(Boolean),
  });
  deviceRoutes(mount);
  publicRoutes(mount, { minSites: config.PUBLIC_MIN_SITES });
  operationsRoutes(mount, { store, registry: metrics.registry, version, startedAt: clock.now() });
  mountDocs(app, {
    document: openApi({
      title: 'Ohmstead cloud',
      version,
      description: 'Identities, organizations, sites, gateways, devices and public data.',
      routes: cloudRoutes,
    }),
    paths: { openapi: '/openapi.json', docs: '/docs', redoc: '/redoc' },
  });

  const keyLifeMs = config.KEY_ROTATION_DAYS * 86_400_000;
  return { app, upkeep: createUpkeep({ store, sessions, keys, clock, log, keyLifeMs }) };
}
