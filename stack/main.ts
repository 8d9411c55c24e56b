import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CloudConfig } from '#cloud/config.ts';
import { startGateway } from '#gateway/main.ts';
import { systemClock } from '#lib/clock.ts';
import { ConfigError, type Env, readConfig, withFallbacks } from '#lib/config.ts';
import type { Logger } from '#lib/log.ts';
import { startCloudWithPrices } from './cloud-with-prices.ts';
import { startDemo } from './demo/demo.ts';
import { createPlayground } from './playground.ts';
import { simulateMarketIfUnset } from './simulated-market.ts';
import { mountSimulation } from './simulation-routes.ts';
import { type StackState, stateFile, writeState } from './state-file.ts';

/** Defaults of a simulation, which serves this machine only. */
const simulationEnv: Env = {
  LOG_LEVEL: 'warn',
  GATEWAY_HOST: '127.0.0.1',
  GATEWAY_DISPLAY_NAME: 'Simulated home',
  MDNS: 'false',
};

/** Defaults of a real home, whose map cell stays hidden until it has enough sites. */
const realHomeEnv: Env = { PUBLIC_MIN_SITES: '5', NEARBY_GATEWAYS: 'true' };

export type StackOptions = {
  version: string;
  isSimulated: boolean;
  houses: number;
  hasHistory: boolean;
};

export type RunningStack = { state: StackState; hasSimulatedPrices: boolean; log: Logger; close(): Promise<void> };

/** Starts the whole system in this process: the platform with its broker and prices, a gateway, and the simulation. */
export async function startStack(given: Env, options: StackOptions): Promise<RunningStack> {
  const { version, isSimulated, houses, hasHistory } = options;
  const env: Env = withFallbacks(given, isSimulated ? simulationEnv : realHomeEnv);
  const { DATA_DIR: dataDir, BROKER_URL, PUBLIC_URL } = readConfig(CloudConfig, env);
  if (isSimulated && BROKER_URL) {
    throw new ConfigError(
      'BROKER_URL is set; simulated homes need the embedded broker. Unset it, or start with --without-simulation.',
    );
  }
  await using opened = new AsyncDisposableStack();
  const market = isSimulated ? await simulateMarketIfUnset(env) : undefined;
  opened.defer(async () => market?.close());
  const playground = createPlayground(systemClock);
  const gateways: string[] = [];
  const cloud = await startCloudWithPrices(market?.env ?? env, {
    version,
    ownGateways: () => gateways,
    ...(isSimulated && { mountMore: (app, door) => mountSimulation(app, door, playground, version) }),
  });
  opened.defer(() => cloud.close());
  await rm(stateFile(dataDir), { force: true }); // from the last start, which may have used other ports
  const { url: cloudUrl, mqttUrl, importEnergy, log } = cloud;
  const gatewayEnv = withFallbacks(env, {
    GATEWAY_DATA_DIR: join(dataDir, 'gateway'),
    CLOUD_URL: PUBLIC_URL ?? cloudUrl,
    UPLINK_URL: mqttUrl,
  });
  const demo = {
    cloudUrl,
    importEnergy,
    dataDir,
    gatewayEnv,
    houses,
    hasHistory,
    playground,
    version,
    clock: systemClock,
    log,
  };
  const { gateway, state: played } =
    isSimulated && mqttUrl
      ? await startDemo({ ...demo, mqttUrl }, opened)
      : { gateway: await startGateway(gatewayEnv, { version }), state: {} };
  gateways.push(gateway.url);
  if (!isSimulated) opened.defer(() => gateway.close());

  const state: StackState = {
    cloud_url: cloudUrl,
    gateway_url: gateway.url,
    price_url: cloudUrl,
    ...(mqttUrl && { mqtt_url: mqttUrl }),
    gateway_serial: gateway.serial,
    ...played,
  };
  await writeState(dataDir, state);
  const running = opened.move();
  return { state, hasSimulatedPrices: market !== undefined, log, close: () => running.disposeAsync() };
}
