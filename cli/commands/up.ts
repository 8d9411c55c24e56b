import { flushCompileCache } from 'node:module';
import { CloudConfig } from '#cloud/config.ts';
import { Type } from '#contract/schema.ts';
import { GatewayConfig } from '#gateway/config.ts';
import { isGiven, readConfig } from '#lib/config.ts';
import { growHeapWhenBusy } from '#lib/heap.ts';
import { onShutdown } from '#lib/lifecycle.ts';
import { command, type Shell } from '../line/command.ts';
import { defaultedNumber } from '../line/quantity.ts';
import { arePagesOld, buildPages } from '../server/build-pages.ts';
import { shutdownMs } from '../server/keep-running.ts';
import { operatorLog, platformEnv, platformOptions } from '../server/platform-store.ts';

const flushDelayMs = 10_000; // writing the compile cache of a first start blocks for a second
const housesRange = { min: 0, max: 500, isWhole: true }; // below the number of gateways that may be claimed per minute

const { CLOUD_PORT, MQTT_PORT } = CloudConfig.properties;
const Ports = Type.Object({ CLOUD_PORT, GATEWAY_PORT: GatewayConfig.properties.GATEWAY_PORT, MQTT_PORT });

const up = command('up', {
  summary: 'Run everything on this machine: the platform, a gateway, and a simulated home with its neighbours',
  options: {
    ...platformOptions,
    houses: defaultedNumber('NUMBER', 'number of simulated neighbouring houses', 20, housesRange),
    'without-history': { help: 'start the simulated home without its past year, which takes less work' },
    'without-simulation': { help: 'for real use: only the platform and a gateway' },
  },
  environment: Ports,
  examples: ['up', 'up --houses 100', 'up --data /var/lib/ohmstead --without-simulation'],
  async run({ options }, shell) {
    const { houses } = options;
    const env = await platformEnv(shell, options, ['gateway', 'price']);
    const pages = buildPages(operatorLog(shell), arePagesOld); // in another process, while the rest is loaded
    const { startStack } = await import('#stack/main.ts'); // loaded only by this command
    const { stackSummary } = await import('#stack/summary.ts');
    const running = await startStack(env, {
      version: shell.version,
      isSimulated: !options['without-simulation'],
      houses,
      hasHistory: !options['without-history'],
    });
    growHeapWhenBusy();
    onShutdown(running.close, { timeoutMs: shutdownMs, log: running.log });
    await pages;
    const { DATA_DIR: dataDir } = readConfig(CloudConfig, env);
    shell.stdout.write(stackSummary(running, { dataDir, version: shell.version, houses, usualPorts: unsetPorts(env) }));
    setTimeout(flushCompileCache, flushDelayMs).unref(); // now, because a server is often killed before it could do so on exit
  },
});

const unsetPorts = (env: Shell['env']): Record<string, number> =>
  Object.fromEntries(Object.entries(readConfig(Ports, {})).filter(([name]) => !isGiven(name, env)));

export const commands = [up];
