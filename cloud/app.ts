import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { streamGatewayLogs } from '#contract/cloud/gateways.ts';
import { withoutSecrets } from '#contract/cloud/invitations.ts';
import { authorizationPage } from '#contract/cloud/oauth.ts';
import { cloudRoutes } from '#contract/cloud/routes.ts';
import { dayMs, hourMs } from '#contract/time.ts';
import { monotonicClock } from '#lib/clock.ts';
import { originsOf } from '#lib/config/shared-settings.ts';
import { allowOrigins } from '#lib/http/cross-origin.ts';
import { mountDocs } from '#lib/http/docs.ts';
import { createMount, type Door } from '#lib/http/mount.ts';
import { mountPages } from '#lib/http/pages.ts';
import { createServer } from '#lib/http/server.ts';
import { createMetrics } from '#lib/metrics.ts';
import { createAppliedVersion } from './access/access-version.ts';
import { createApplicationTokens } from './access/application-tokens.ts';
import { type Context, createBudgets, createCloudDoor } from './access/door.ts';
import { createReactions } from './access/reactions.ts';
import { alertChannelRoutes } from './alerts/channels.ts';
import { createOutbox } from './alerts/outbox.ts';
import { createSitePrices } from './alerts/prices.ts';
import { siteAlertRoutes } from './alerts/routes.ts';
import { createSend } from './alerts/send.ts';
import { createWatch } from './alerts/watch.ts';
import { type BillCalculator, noCalculator } from './bill/bill-calculator.ts';
import { contractRoutes } from './bill/contract.ts';
import { type BillDeps, billRoutes } from './bill/routes.ts';
import { createAdmission } from './broker/admission.ts';
import { createAudience } from './broker/audience.ts';
import { brokerRoutes } from './broker/routes.ts';
import type { Admission, Transport } from './broker/transport.ts';
import { createHolding } from './commands/holding.ts';
import { commandRoutes } from './commands/routes.ts';
import type { CloudConfig } from './config.ts';
import { deviceRoutes } from './devices/routes.ts';
import { readQuarters } from './energy/report.ts';
import { energyRoutes } from './energy/routes.ts';
import { manageRoutes } from './gateways/manage-routes.ts';
import { createManagement, createPlatformMessage } from './gateways/management.ts';
import { gatewayRoutes } from './gateways/routes.ts';
import { createGatewayVersions } from './gateways/versions.ts';
import { browserRoutes } from './identity/browsers.ts';
import { createChallenges } from './identity/challenge.ts';
import { openKeyRing } from './identity/key-ring.ts';
import { identityRoutes } from './identity/routes.ts';
import { createSessions } from './identity/sessions.ts';
import { createUpkeep } from './identity/upkeep.ts';
import { createNearbyGateways } from './nearby/nearby-gateways.ts';
import { nearbyRoutes } from './nearby/routes.ts';
import { integrationRoutes, oauthServerRoutes } from './oauth/routes.ts';
import { createOAuthServer } from './oauth/server.ts';
import { addBrokerMetrics } from './operations/gauges.ts';
import { operationsRoutes } from './operations/routes.ts';
import { invitationRoutes } from './organizations/invitations.ts';
import { organizationRoutes, usageRoutes } from './organizations/routes.ts';
import { createGatewayPlans } from './plans/gateway-plans.ts';
import { createPlanning } from './plans/planning.ts';
import { planRoutes } from './plans/routes.ts';
import { publicRoutes } from './public/routes.ts';
import { siteRoutes } from './sites/routes.ts';
import { ensureSetting } from './store/settings.ts';
import type { CommonDeps } from './store/store.ts';
import type { TelemetryStore } from './store/telemetry/telemetry-store.ts';
import { deviceEvent, latestShown } from './telemetry/live.ts';
import { createPipeline, logChannel } from './telemetry/pipeline.ts';
import { telemetryRoutes } from './telemetry/routes.ts';
import { createStreams } from './telemetry/streams.ts';
import { openWeather } from './weather/weather.ts';
import { whatIfRoutes } from './what-if/routes.ts';

export type CloudDeps = CommonDeps & {
  telemetry: TelemetryStore;
  openTransport(admission: Admission): Promise<Transport>;
  version: string;
  internalToken(): string;
  baseUrl(): string;
  /** calculates bills; without it they are answered with 503 */
  calculator?: BillCalculator | undefined;
  /** addresses of the gateways in this process */
  ownGateways?: (() => readonly string[]) | undefined;
  /** mounts another service on the same address, behind the same door */
  mountMore?: ((app: FastifyInstance, door: Door<Context>) => void | Promise<void>) | undefined;
};

export type Cloud = { app: FastifyInstance; transport: Transport; start(): Promise<void>; stop(): Promise<void> };

// A page requests a signature from a gateway in the same house; for other addresses the person copies it by hand.
const gatewaysNearby = ['http://localhost:*', 'http://127.0.0.1:*', 'http://*.local:*'];

export async function createCloud(config: CloudConfig, deps: CloudDeps): Promise<Cloud> {
  const { store, telemetry, clock, log, version, internalToken, baseUrl } = deps;
  const deploymentId = await ensureSetting(store, 'deployment_id', () => `urn:ohmstead:${randomUUID()}`);
  const tokenLifeMs = config.TOKEN_HOURS * hourMs;
  const keys = await openKeyRing(store, { clock, tokenLifeMs });
  const sessions = createSessions({ store, keys, clock, deploymentId, tokenLifeMs });
  const applications = createApplicationTokens({ store, clock });
  const challenges = createChallenges({ baseUrl, secret: keys.challengeSecret, monotonic: monotonicClock });
  const metrics = createMetrics();
  const { registry } = metrics;

  const listeners = (): string[] => Object.values(transport.urls);
  const audience = createAudience(config, { deploymentId, listeners });
  const platformMessage = createPlatformMessage({ keys, deploymentId, clock });
  const admission = createAdmission({ store, sessions, audience, platformMessage, clock, log });
  const transport = await deps.openTransport(admission);
  addBrokerMetrics(transport, registry);
  const minSites = config.PUBLIC_MIN_SITES;
  const maxFieldsPerDer = config.MAX_FIELDS_PER_DER;
  const maxBytesPerDay = config.TELEMETRY_MB_PER_DAY * 1_000_000;
  const figures = { minSites, maxFieldsPerDer, maxBytesPerDay };
  const pipeline = createPipeline({ store, telemetry, transport, ...figures, registry, clock, log });
  const { latest, live, commands } = pipeline;
  const streams = createStreams({ store, maxPerIdentity: config.STREAMS_PER_IDENTITY, clock, log });
  const keyLifeMs = config.KEY_ROTATION_DAYS * dayMs;
  const commandsKeptMs = config.COMMANDS_DAYS * dayMs;
  const applied = createAppliedVersion();
  const reactions = createReactions({
    store,
    sessions,
    applications,
    pipeline,
    streams,
    transport,
    applied,
    clock,
    log,
  });
  store.onChange(reactions.toChange);
  const accessChanged = reactions.toNewVersion;
  const send = createSend({ settings: config, store, clock, baseUrl });
  const outbox = createOutbox({ store, clock, log, send: send.send });
  const { calculator = noCalculator } = deps;
  const watch = createWatch({ store, latest, ledger: pipeline.ledger, calculator, version, clock, log });
  const pricesOf = createSitePrices(calculator).of;
  const holding = createHolding({ store, latest, tracking: commands, pricesOf, clock, log });
  const gatewayPlans = createGatewayPlans({ store, transport, keys, deploymentId, clock, log });
  pipeline.onState(gatewayPlans.state);
  pipeline.onState(createGatewayVersions({ store, clock, log }).state);
  const weather = openWeather(config, { version, clock, log });
  const planDeps = { store, latest, ledger: pipeline.ledger, telemetry, calculator, weather, clock, log };
  const planning = createPlanning({ ...planDeps, gateways: gatewayPlans });
  const upkeep = createUpkeep({ store, keys, sessions, clock, log, keyLifeMs, commandsKeptMs, applied, accessChanged });

  const app = createServer({
    log,
    apiVersion: '1',
    redactPath: withoutSecrets,
    ...(config.TRUST_PROXY && { trustProxy: config.TRUST_PROXY }),
  });
  allowOrigins(app, originsOf(config));
  app.decorateRequest('caller', null);
  metrics.watch(app);
  const door = createCloudDoor({
    store,
    sessions,
    applications,
    clock,
    spend: createBudgets(config, clock, transport.shared?.spending),
    quotas: config,
    internalToken,
  });
  const mount = createMount(app, door);

  identityRoutes(mount, { challenges, sessions, keys });
  browserRoutes(mount, { baseUrl });
  organizationRoutes(mount);
  invitationRoutes(mount, { baseUrl });
  usageRoutes(mount, { quotas: config, telemetry: { maxBytesPerDay, today: pipeline.usage.today } });
  integrationRoutes(mount);
  const server = createOAuthServer({ store, clock, log, keys, baseUrl });
  oauthServerRoutes(app, door, { server, sessions, store, clock });
  siteRoutes(mount, {
    sendRelease: commands.release,
    withdrawPlans: (context, siteId) => gatewayPlans.update(context, siteId, []),
  });
  contractRoutes(mount);
  gatewayRoutes(mount, {
    trust: {
      mode: config.GATEWAY_TRUST,
      selfProvingPrefixes: config.SELF_PROVING_PREFIXES.split(',').filter(Boolean),
    },
    leaving: {
      sendRelease: commands.release,
      withdrawPlan: gatewayPlans.withdraw,
      onOrphaned: ({ id, site_id }) => live.emit(site_id, deviceEvent(id, 'orphaned')),
    },
    droppedOf: pipeline.counts.droppedOf,
    followLog: (serial, caller) =>
      streams.answer({ caller, route: streamGatewayLogs, params: { serial } }, async (stream) =>
        stream.onClose(await live.listen(logChannel(serial), stream.send)),
      ),
  });
  manageRoutes(mount, createManagement({ keys, deploymentId, store, live, transport, clock }));
  nearbyRoutes(mount, {
    nearby: config.NEARBY_GATEWAYS ? createNearbyGateways({ ownGateways: deps.ownGateways, clock, log }) : undefined,
    trustsProxy: config.TRUST_PROXY !== undefined,
  });
  const latestOf = (no: number) => latestShown(latest, no);
  deviceRoutes(mount, { latestOf, sendRelease: commands.release });
  telemetryRoutes(mount, { store, telemetry, latest, live, streams, clock });
  energyRoutes(mount, { ledger: pipeline.ledger });
  const billing: BillDeps = {
    calculator,
    readQuarters: async (db, siteId, from, to) =>
      readQuarters(db, siteId, from, to, await pipeline.ledger.unwritten(siteId)),
  };
  billRoutes(mount, billing);
  whatIfRoutes(mount, billing);
  siteAlertRoutes(mount, { send, onRules: watch.forget });
  alertChannelRoutes(mount, { store, clock, send, baseUrl });
  commandRoutes(mount, { tracking: commands, holding, latestOf });
  planRoutes(mount, planDeps);
  publicRoutes(mount, { minSites, sums: pipeline.cellSums });
  brokerRoutes(app, { door, admission, transport, log });
  let isStopping = false;
  const operations = { store, transport, streams, registry, version, startedAt: clock.now() };
  operationsRoutes(mount, { ...operations, isStopping: () => isStopping });
  await deps.mountMore?.(app, door);
  mountPages(app, {
    entry: 'index.html',
    connect: gatewaysNearby,
    alone: { [authorizationPage]: 'authorize.html' },
    isSimulated: app.hasRoute({ method: 'GET', url: '/simulation' }),
  });
  mountDocs(app, {
    title: 'Ohmstead cloud',
    version,
    description: 'Identities, organizations, sites, gateways, devices, telemetry, commands and public data.',
    routes: cloudRoutes,
  });

  return {
    app,
    transport,
    async start() {
      upkeep.start();
      streams.start();
      await pipeline.start();
      watch.start();
      holding.start();
      planning.start();
      outbox.start();
    },
    async stop() {
      isStopping = true;
      await transport.drain(config.DRAIN_SECONDS * 1000);
      upkeep.stop();
      watch.stop();
      holding.stop();
      weather?.close();
      await planning.stop();
      await outbox.stop();
      streams.close();
      await pipeline.stop();
    },
  };
}
