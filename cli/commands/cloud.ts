import { flushCompileCache } from 'node:module';
import { resolve } from 'node:path';
import { CloudConfig } from '#cloud/config.ts';
import { readConfig } from '#lib/config.ts';
import { onShutdown } from '#lib/lifecycle.ts';
import { buildPages } from '../build-pages.ts';
import { command } from '../command.ts';
import { columns } from '../output.ts';
import { platformEnv, platformOptions } from '../platform.ts';
import { letYoungHeapGrow } from '../young-heap.ts';

const shutdownMs = 10_000;

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
    flushCompileCache(); // at its end may be too late: a server is often killed
    const close = async (): Promise<void> => {
      await running.close();
      await market?.close();
    };
    onShutdown(close, { timeoutMs: shutdownMs, log: running.log });
    if (!shell.stdout.isTTY) return;
    const { DATA_DIR, PUBLIC_URL, DATABASE_URL } = readConfig(CloudConfig, env);
    const rows = [
      ['Ohmstead', shell.version],
      ['Address', PUBLIC_URL ?? running.url],
      ['API pages', `${running.url}/docs`],
      ['Broker', running.mqttUrl ?? 'RabbitMQ'],
      ['Prices', market ? 'of a simulated market: no real one can be reached' : 'of real markets, when asked for'],
      ['Data', DATABASE_URL ? `${resolve(DATA_DIR)} and PostgreSQL` : resolve(DATA_DIR)],
    ];
    shell.stdout.write(`\n${columns(rows)}\n\nCtrl-C stops it.\n`);
  },
});

export const cloudCommands = [cloud];
