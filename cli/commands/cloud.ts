import { resolve } from 'node:path';
import { CloudConfig } from '#cloud/config.ts';
import { readConfig } from '#lib/config.ts';
import { command } from '../line/command.ts';
import { buildPages } from '../server/build-pages.ts';
import { keepRunning } from '../server/keep-running.ts';
import { platformEnv, platformOptions } from '../server/platform-store.ts';

const cloud = command('cloud', {
  summary: 'Run the platform until Ctrl-C or SIGTERM',
  options: {
    ...platformOptions,
    demo: { help: 'use simulated prices if no real market is configured or reachable' },
  },
  environment: CloudConfig,
  examples: ['cloud', 'cloud --data /var/lib/ohmstead', 'cloud --config /etc/ohmstead.yaml', 'cloud --demo'],
  async run({ options }, shell) {
    const { startCloudWithPrices } = await import('#stack/cloud-with-prices.ts'); // loaded only by this command
    const env = await platformEnv(shell, options, ['price']);
    const market = options.demo
      ? await (await import('#stack/simulated-market.ts')).simulateMarketIfOffline(env)
      : undefined;
    const running = await startCloudWithPrices(market?.env ?? env, { version: shell.version });
    void buildPages(running.log);
    const close = async (): Promise<void> => {
      await running.close();
      await market?.close();
    };
    const { DATA_DIR, PUBLIC_URL, DATABASE_URL, DRAIN_SECONDS } = readConfig(CloudConfig, env);
    const rows = [
      ['Ohmstead', shell.version],
      ['Address', PUBLIC_URL ?? running.url],
      ['API pages', `${running.url}/docs`],
      ['Broker', running.mqttUrl ?? 'RabbitMQ'],
      ['Prices', market ? 'simulated: no real market can be reached' : 'real markets, fetched on request'],
      ['Data', DATABASE_URL ? `${resolve(DATA_DIR)} and PostgreSQL` : resolve(DATA_DIR)],
    ];
    keepRunning({ close, log: running.log, drainMs: DRAIN_SECONDS * 1000 }, rows, shell);
  },
});

export const commands = [cloud];
