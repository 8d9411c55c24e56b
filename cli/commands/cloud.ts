import { resolve } from 'node:path';
import { CloudConfig } from '#cloud/config.ts';
import { readConfig } from '#lib/config.ts';
import { command } from '../line/command.ts';
import { buildPages } from '../server/build-pages.ts';
import { keepRunning } from '../server/keep-running.ts';
import { platformEnv, platformOptions } from '../server/on-platform.ts';
import { letYoungHeapGrow } from '../young-heap.ts';

const cloud = command({
  name: 'cloud',
  summary: 'Run the platform until it is told to stop (Ctrl-C, SIGTERM)',
  options: {
    ...platformOptions,
    demo: { says: 'with prices of a simulated market when no real one is configured or reached' },
  },
  environment: CloudConfig,
  examples: ['cloud', 'cloud --data /var/lib/ohmstead', 'cloud --config /etc/ohmstead.yaml', 'cloud --demo'],
  async run({ options }, shell) {
    const { startCloudWithPrices } = await import('#stack/cloud-with-prices.ts'); // here, so that no other command waits for it
    const env = await platformEnv(shell, options, ['price']);
    const market = options.demo ? await (await import('#stack/simulated-market.ts')).marketIfAlone(env) : undefined;
    const running = await startCloudWithPrices(market?.env ?? env, { version: shell.version });
    letYoungHeapGrow();
    void buildPages(running.log);
    const close = async (): Promise<void> => {
      await running.close();
      await market?.close();
    };
    const { DATA_DIR, PUBLIC_URL, DATABASE_URL } = readConfig(CloudConfig, env);
    const rows = [
      ['Ohmstead', shell.version],
      ['Address', PUBLIC_URL ?? running.url],
      ['API pages', `${running.url}/docs`],
      ['Broker', running.mqttUrl ?? 'RabbitMQ'],
      ['Prices', market ? 'of a simulated market: no real one can be reached' : 'of real markets, when asked for'],
      ['Data', DATABASE_URL ? `${resolve(DATA_DIR)} and PostgreSQL` : resolve(DATA_DIR)],
    ];
    keepRunning({ close, log: running.log }, rows, shell);
  },
});

export const cloudCommands = [cloud];
