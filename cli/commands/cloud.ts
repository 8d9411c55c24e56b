import { flushCompileCache } from 'node:module';
import { resolve } from 'node:path';
import { CloudConfig } from '#cloud/config.ts';
import { onShutdown } from '#lib/lifecycle.ts';
import { command } from '../command.ts';
import { columns } from '../output.ts';
import { dataOption, platformConfig, platformEnv } from '../platform.ts';
import { letYoungHeapGrow } from '../young-heap.ts';

const shutdownMs = 10_000;

const cloud = command({
  name: 'cloud',
  summary: 'Run the platform until it is told to stop (Ctrl-C, SIGTERM)',
  options: { data: dataOption },
  environment: CloudConfig,
  examples: ['cloud', 'cloud --data /var/lib/ohmstead'],
  async run({ options }, shell) {
    const { startCloud } = await import('#cloud/main.ts'); // here, so that no other command waits for all of it
    const running = await startCloud(platformEnv(shell, options.data), { version: shell.version });
    letYoungHeapGrow();
    flushCompileCache(); // at its end may be too late: a server is often killed
    onShutdown(running.close, { timeoutMs: shutdownMs, log: running.log });
    if (!shell.stdout.isTTY) return;
    const { DATA_DIR, PUBLIC_URL, DATABASE_URL } = platformConfig(shell, options.data);
    const rows = [
      ['Ohmstead', shell.version],
      ['Address', PUBLIC_URL ?? running.url],
      ['API pages', `${running.url}/docs`],
      ['Broker', running.mqttUrl ?? 'RabbitMQ'],
      ['Data', DATABASE_URL ? `${resolve(DATA_DIR)} and PostgreSQL` : resolve(DATA_DIR)],
    ];
    shell.stdout.write(`\n${columns(rows)}\n\nCtrl-C stops it.\n`);
  },
});

export const cloudCommands = [cloud];
