import { flushCompileCache } from 'node:module';
import { CloudConfig } from '#cloud/config.ts';
import { Type } from '#contract/schema.ts';
import { GatewayConfig } from '#gateway/config.ts';
import { isGiven, readConfig } from '#lib/config.ts';
import { onShutdown } from '#lib/lifecycle.ts';
import { command, type Shell } from '../line/command.ts';
import { UsageError } from '../line/usage-error.ts';
import { arePagesOld, buildPages } from '../server/build-pages.ts';
import { operatorLog, platformEnv, platformOptions } from '../server/on-platform.ts';
import { letYoungHeapGrow } from '../young-heap.ts';

const shutdownMs = 4500;
const settledMs = 10_000; // keeping a first start compiled takes a second, in which nothing would move
const usualHouses = 20;
const mostHouses = 500; // as many gateways may be claimed in a minute, and some more

const { CLOUD_PORT, MQTT_PORT } = CloudConfig.properties;
const Ports = Type.Object({ CLOUD_PORT, GATEWAY_PORT: GatewayConfig.properties.GATEWAY_PORT, MQTT_PORT });

const up = command({
  name: 'up',
  summary: 'Run everything on this machine: the platform, a gateway, and a simulated home and street',
  options: {
    ...platformOptions,
    houses: { value: 'NUMBER', says: `simulated houses beside the home. Default ${usualHouses}` },
    'without-simulation': { says: 'for real use: the platform and a gateway, nothing simulated' },
  },
  environment: Ports,
  examples: ['up', 'up --houses 100', 'up --data /var/lib/ohmstead --without-simulation'],
  async run({ options }, shell) {
    const houses = housesOf(options.houses);
    const env = await platformEnv(shell, options, ['gateway', 'price']);
    const pages = buildPages(operatorLog(shell), arePagesOld); // on another core, while everything else is loaded
    const { startStack } = await import('#stack/main.ts'); // here, so that no other command waits for all of it
    const { stackSummary: tell } = await import('#stack/summary.ts');
    const running = await startStack(env, {
      version: shell.version,
      isSimulated: !options['without-simulation'],
      houses,
    });
    onShutdown(running.close, { timeoutMs: shutdownMs, log: running.log });
    await pages;
    const { DATA_DIR: dataDir } = readConfig(CloudConfig, env);
    shell.stdout.write(tell(running, { dataDir, version: shell.version, houses, usualPorts: usualPorts(env) }));
    letYoungHeapGrow();
    setTimeout(flushCompileCache, settledMs).unref(); // at its end may be too late: a server is often killed
  },
});

/** Those that were not asked for otherwise. */
const usualPorts = (env: Shell['env']): Record<string, number> =>
  Object.fromEntries(Object.entries(readConfig(Ports, {})).filter(([name]) => !isGiven(name, env)));

function housesOf(text: string | undefined): number {
  if (text === undefined) return usualHouses;
  if (!/^\d{1,3}$/.test(text) || Number(text) > mostHouses) {
    throw new UsageError(`--houses is a whole number from 0 to ${mostHouses}.`, 'up');
  }
  return Number(text);
}

export const upCommands = [up];
